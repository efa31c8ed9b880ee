use countersign_reviewers::guidance::{DEFAULTS, SECTIONS, built_in, defaults, expand};

#[test]
fn every_section_has_its_entries() {
    let counts: Vec<usize> = SECTIONS.iter().map(|name| defaults(name).len()).collect();
    assert_eq!(counts, [5, 6, 10, 8]);
    assert_eq!(defaults("other"), Vec::<&str>::new());
    let all = built_in();
    for section in [&all.environment, &all.allow, &all.soft_deny, &all.hard_deny] {
        for entry in section {
            assert!(entry.ends_with('.') && entry.trim() == entry, "{entry:?}");
        }
    }
}

#[test]
fn defaults_stand_where_the_owner_puts_them() {
    let given = ["mine", DEFAULTS, "mine", "also mine"].map(str::to_owned);
    let all = expand("hard_deny", &given);
    assert_eq!(all.len(), 10);
    assert_eq!((all[0].as_str(), all[9].as_str()), ("mine", "also mine"));
    assert_eq!(expand("allow", &["mine".to_owned()]), ["mine"]);
    assert_eq!(expand("allow", &[]), Vec::<String>::new());
}
