// What an analysis looks at, field by field. `table!` makes two things of it, so that a new field is a
// line here beside its key in `file.rs`: in the library the structs, and how they are made of a file
// that is read while the program runs; in the build script how they are written as constants.
// Where a field is not the file's of the same name, `= method` says what it is made of.

table! { NodeFile =>
    /// A program or a subcommand. `file.rs` says what each field means.
    pub(crate) struct Node {
        pub(crate) names: &'static [&'static str] = all_names,
        pub(crate) parse: ParseStyle,
        pub(crate) stop_at_operand: bool,
        pub(crate) reads: bool,
        pub(crate) effects: &'static [EffectKind],
        pub(crate) tags: &'static [&'static str],
        pub(crate) options: &'static [Opt],
        pub(crate) operands: &'static [Operand],
        pub(crate) modes: &'static [Mode],
        pub(crate) verbs: Option<Verbs>,
        pub(crate) subcommands: &'static [Node],
        pub(crate) stdin: Option<Role>,
        pub(crate) default_path: bool,
        pub(crate) ordinary_settings: &'static [&'static str],
        pub(crate) place: Place,
        pub(crate) appends_arguments: bool,
        pub(crate) repository: bool,
        pub(crate) help: Option<bool>,
        pub(crate) hosts: &'static [&'static str],
        pub(crate) prints: &'static [Printed],
    }
}

table! { OptionFile =>
    /// An option under all its names.
    pub(crate) struct Opt {
        pub(crate) names: &'static [&'static str],
        pub(crate) value: Option<Role>,
        pub(crate) optional: bool,
        pub(crate) named: bool,
        pub(crate) effects: &'static [EffectKind],
        pub(crate) tags: &'static [&'static str],
        pub(crate) except: &'static [&'static str],
        pub(crate) values: &'static [(&'static str, &'static [&'static str])],
        pub(crate) global: bool,
        pub(crate) late: bool,
    }
}

table! { OperandFile =>
    /// One operand, or a run of them.
    pub(crate) struct Operand {
        pub(crate) role: Role,
        pub(crate) many: bool,
        pub(crate) effects: &'static [EffectKind],
        pub(crate) tags: &'static [&'static str],
        pub(crate) starts: &'static [(&'static str, &'static str)],
    }
}

table! { VerbsFile =>
    /// The verbs of a tool that has one for each thing its service can do.
    pub(crate) struct Verbs {
        pub(crate) groups: &'static [&'static str],
        pub(crate) secret: &'static [&'static str],
        pub(crate) except: &'static [&'static str],
        pub(crate) reads: &'static [&'static str],
        pub(crate) deletes: &'static [&'static str],
        pub(crate) deploys: &'static [&'static str],
        pub(crate) changes: &'static [&'static str],
        pub(crate) files: &'static [&'static str],
    }
}

table! { ModeFile =>
    /// A form that one of some options selects.
    pub(crate) struct Mode {
        pub(crate) options: &'static [&'static str],
        pub(crate) reads: bool,
        pub(crate) effects: &'static [EffectKind],
        pub(crate) tags: &'static [&'static str],
        pub(crate) values: &'static [(&'static str, Role)],
        pub(crate) plain: &'static [&'static str],
        pub(crate) operands: Option<&'static [Operand]>,
    }
}

table! { PrintsFile =>
    /// A form of which it is known who made what it prints.
    pub(crate) struct Printed {
        pub(crate) what: Printing,
        pub(crate) with: &'static [&'static str],
        pub(crate) without: &'static [&'static str],
        pub(crate) operands: Option<usize>,
    }
}
