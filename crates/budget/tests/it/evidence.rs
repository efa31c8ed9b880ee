//! Estimates, cuts and accounts, case by case.

use countersign_budget::{Class, EvidenceBudget, EvidenceLimits, Fit, RequiredTooBig, tokens};

#[test]
fn a_token_is_four_bytes_rounded_up() {
    for (text, expected) in [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("é", 1),
        ("ééé", 2),
        ("😀", 1),
        ("😀😀a", 3),
    ] {
        assert_eq!(tokens(text), expected, "`{text}`");
    }
}

#[test]
fn required_evidence_fits_whole_or_the_review_fails() {
    let limits = |whole| EvidenceLimits {
        whole,
        ..EvidenceLimits::default()
    };
    for (whole, required, expected) in [
        (0, &[][..], None),
        (0, &[""], None),
        (2, &["abcdefgh"], None),
        (2, &["abcd", "abcd"], None),
        (1, &["abcde"], Some((2, 1))),
        (3, &["abcde", "abcde"], Some((4, 3))),
        (0, &["a"], Some((1, 0))),
    ] {
        let error = EvidenceBudget::new(limits(whole), required).err();
        let said = error
            .as_ref()
            .map(|RequiredTooBig { needed, had, .. }| (*needed, *had));
        assert_eq!(said, expected, "{required:?} in {whole}");
    }
    let error = EvidenceBudget::new(limits(3), &["rm -rf build", "clean up"]).expect_err("5 in 3");
    insta::assert_snapshot!(error, @"what a reviewer must see needs 5 tokens, and there are 3; give it a larger budget, or let a person decide");
}

#[test]
fn what_is_set_aside_comes_from_the_rest_in_a_fixed_order() {
    let limits = |whole| EvidenceLimits {
        user: 4,
        tool_calls: 3,
        results: 2,
        whole,
    };
    for (whole, expected) in [
        (100, [4, 3, 2]),
        (10, [4, 3, 2]),
        (9, [4, 3, 1]),
        (8, [4, 3, 0]),
        (6, [4, 1, 0]),
        (3, [2, 0, 0]),
        (1, [0, 0, 0]),
    ] {
        let budget = EvidenceBudget::new(limits(whole), &["abcd"]).expect("one token");
        let account = budget.account();
        let shares = [account.user, account.tool_calls, account.results];
        assert_eq!(shares.map(|share| share.reserved), expected, "{whole}");
    }
}

#[test]
fn an_item_is_taken_whole_cut_between_characters_or_omitted() {
    use Fit::{Prefix, Whole};
    // Items of one class with 3 tokens, so 12 bytes; a bar before each item, `…` after a cut.
    for (items, expected) in [
        (&[("abcdefghijkl", Whole)][..], "|abcdefghijkl"),
        (&[("abcdefghijklm", Whole)], "|-"),
        (&[("abcdefghijklm", Prefix)], "|abcdefghijkl…"),
        (&[("abcdefghijké", Prefix)], "|abcdefghijk…"),
        (&[("ééééééé", Prefix)], "|éééééé…"),
        (&[("a😀😀😀", Prefix)], "|a😀😀…"),
        (&[("abcde", Whole), ("fghij", Prefix)], "|abcde|fghi…"),
        // Nothing comes after a gap, however small.
        (&[("abcdefghijklm", Whole), ("n", Whole)], "|-|-"),
        (
            &[("abcde", Whole), ("fghij", Prefix), ("", Whole)],
            "|abcde|fghi…|-",
        ),
        // Each item is rounded up by itself.
        (
            &[("a", Whole), ("b", Whole), ("c", Whole), ("d", Prefix)],
            "|a|b|c|-",
        ),
        (&[("abcdefghijkl", Whole), ("", Whole)], "|abcdefghijkl|"),
    ] {
        let limits = EvidenceLimits {
            user: 3,
            tool_calls: 9,
            results: 9,
            whole: 99,
        };
        let mut budget = EvidenceBudget::new(limits, &[]).expect("nothing is required");
        let mut text = String::new();
        for (item, fit) in items {
            let taken = budget.offer(Class::User, item, *fit);
            text.push('|');
            text.push_str(taken.kept().unwrap_or("-"));
            if matches!(taken, countersign_budget::Taken::Cut { .. }) {
                text.push('…');
            }
        }
        assert_eq!(text, expected);
    }
}

#[test]
fn the_account_says_what_is_left_out() {
    let limits = EvidenceLimits {
        user: 6,
        tool_calls: 5,
        results: 100,
        whole: 20,
    };
    let mut budget = EvidenceBudget::new(limits, &["rm -rf build", "clean up"]).expect("5 tokens");
    for (class, text) in [
        (Class::User, "then build anew"),
        (Class::ToolCalls, "cargo build --release"),
        (Class::ToolCalls, "ls"),
        (Class::Results, "build  src"),
        (Class::User, "and tell me how it went"),
        (Class::Results, "nothing to do"),
    ] {
        budget.offer(class, text, Fit::Prefix);
    }
    assert_eq!(budget.account().omitted(), 1);
    insta::assert_snapshot!(budget.account());
}
