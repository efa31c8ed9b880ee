//! What holds for any evidence and any limits.

use crate::support::cases;
use countersign_budget::{
    Class, EvidenceBudget, EvidenceLimits, Fit, RequiredTooBig, Taken, tokens,
};
use proptest::prelude::*;

type Offer = (Class, String, Fit);

const CLASSES: [Class; 3] = [Class::User, Class::ToolCalls, Class::Results];

/// Characters of one to four bytes.
fn text() -> impl Strategy<Value = String> {
    "[a-cé€😀]{0,30}"
}

fn offers() -> impl Strategy<Value = Vec<Offer>> {
    let class = prop::sample::select(&CLASSES[..]);
    let fit = prop::sample::select(&[Fit::Whole, Fit::Prefix][..]);
    prop::collection::vec((class, text(), fit), 0..20)
}

fn limits() -> impl Strategy<Value = EvidenceLimits> {
    (0..40_u64, 0..40_u64, 0..40_u64, 0..120_u64).prop_map(|(user, tool_calls, results, whole)| {
        EvidenceLimits {
            user,
            tool_calls,
            results,
            whole,
        }
    })
}

fn required() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

/// The budget after all offers, and what became of each; `None` where the required does not fit.
fn run<'o>(
    limits: EvidenceLimits,
    required: &[String],
    offers: impl IntoIterator<Item = &'o Offer>,
) -> Option<(EvidenceBudget, Vec<Taken<'o>>)> {
    let required: Vec<&str> = required.iter().map(String::as_str).collect();
    let mut budget = EvidenceBudget::new(limits, &required).ok()?;
    let offers = offers.into_iter();
    let taken = offers
        .map(|(class, text, fit)| budget.offer(*class, text, *fit))
        .collect();
    Some((budget, taken))
}

fn most(limits: EvidenceLimits, class: Class) -> u64 {
    match class {
        Class::User => limits.user,
        Class::ToolCalls => limits.tool_calls,
        Class::Results => limits.results,
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn required_evidence_is_never_cut(limits in limits(), required in required()) {
        let texts: Vec<&str> = required.iter().map(String::as_str).collect();
        let needed: u64 = texts.iter().map(|text| tokens(text)).sum();
        match EvidenceBudget::new(limits, &texts) {
            Ok(budget) => {
                prop_assert!(needed <= limits.whole);
                prop_assert_eq!(budget.account().required, needed);
            }
            Err(RequiredTooBig { needed: said, had, .. }) => {
                prop_assert_eq!((said, had), (needed, limits.whole));
                prop_assert!(needed > limits.whole);
            }
        }
    }

    #[test]
    fn what_is_shown_is_never_above_a_limit(
        limits in limits(), required in required(), offers in offers(),
    ) {
        let Some((budget, taken)) = run(limits, &required, &offers) else { return Ok(()) };
        let shown = |class: Option<Class>| -> String {
            let of_class = offers.iter().zip(&taken);
            let of_class = of_class.filter(|((of, ..), _)| class.is_none_or(|class| *of == class));
            of_class.filter_map(|(_, taken)| taken.kept()).collect()
        };
        // Counted anew, over the joined text and over each item.
        let whole = required.concat() + &shown(None);
        prop_assert!(tokens(&whole) <= budget.account().used());
        prop_assert!(budget.account().used() <= limits.whole);
        for class in CLASSES {
            let used = budget.account().of(class).used;
            let items = offers.iter().zip(&taken).filter(|((of, ..), _)| *of == class);
            let sum: u64 = items.filter_map(|(_, it)| it.kept()).map(tokens).sum();
            prop_assert_eq!(used, sum);
            prop_assert!(tokens(&shown(Some(class))) <= used && used <= most(limits, class));
        }
    }

    #[test]
    fn an_item_is_shown_whole_or_in_its_longest_beginning_that_fits(
        limits in limits(), required in required(), offers in offers(),
    ) {
        let Some((budget, taken)) = run(limits, &required, &offers) else { return Ok(()) };
        for class in CLASSES {
            let mut left = budget.account().of(class).reserved;
            let mut closed = false;
            let of_class = offers.iter().zip(&taken).filter(|((of, ..), _)| *of == class);
            for ((_, text, fit), taken) in of_class {
                match taken {
                    Taken::Whole(kept) => {
                        prop_assert_eq!(kept, text);
                        prop_assert!(!closed);
                        left -= tokens(kept);
                    }
                    Taken::Cut { kept, left_out } => {
                        prop_assert!(!closed && *fit == Fit::Prefix && !kept.is_empty());
                        prop_assert!(text.starts_with(kept));
                        prop_assert_eq!(kept.len() as u64 + left_out, text.len() as u64);
                        let next = text.chars().nth(kept.chars().count()).expect("something is cut");
                        prop_assert!(tokens(kept) <= left);
                        let longer = format!("{kept}{next}");
                        prop_assert!(tokens(&longer) > left);
                        closed = true;
                    }
                    Taken::Omitted => {
                        let fits = tokens(text) <= left || (*fit == Fit::Prefix && left > 0);
                        prop_assert!(closed || !fits);
                        closed = true;
                    }
                }
            }
        }
    }

    #[test]
    fn no_class_takes_from_another(
        limits in limits(), required in required(), offers in offers(),
    ) {
        let Some((budget, taken)) = run(limits, &required, &offers) else { return Ok(()) };
        for class in CLASSES {
            let alone = offers.iter().filter(|(of, ..)| *of == class);
            let (alone, without_others) = run(limits, &required, alone).expect("it fitted before");
            let with_others: Vec<_> = offers.iter().zip(&taken)
                .filter(|((of, ..), _)| *of == class).map(|(_, &taken)| taken).collect();
            prop_assert_eq!(without_others, with_others);
            prop_assert_eq!(alone.account().of(class), budget.account().of(class));
        }
    }

    #[test]
    fn the_account_leaves_nothing_out(
        limits in limits(), required in required(), offers in offers(),
    ) {
        let Some((budget, taken)) = run(limits, &required, &offers) else { return Ok(()) };
        for class in CLASSES {
            let items = || offers.iter().zip(&taken).filter(move |((of, ..), _)| *of == class);
            let share = budget.account().of(class);
            let count = |which: fn(&Taken<'_>) -> bool| items().filter(|(_, it)| which(it)).count() as u64;
            prop_assert_eq!(share.whole, count(|it| matches!(it, Taken::Whole(_))));
            prop_assert_eq!(share.cut, count(|it| matches!(it, Taken::Cut { .. })));
            prop_assert_eq!(share.omitted, count(|it| matches!(it, Taken::Omitted)));
            let left_out: usize =
                items().map(|((_, text, _), it)| text.len() - it.kept().map_or(0, str::len)).sum();
            prop_assert_eq!(share.left_out, left_out as u64);
        }
    }

    #[test]
    fn the_same_offers_have_the_same_result(
        limits in limits(), required in required(), offers in offers(),
    ) {
        prop_assert_eq!(run(limits, &required, &offers), run(limits, &required, &offers));
    }
}
