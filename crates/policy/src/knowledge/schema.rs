/// The JSON Schema of a command file, for editors.
pub const COMMAND_FILE_SCHEMA: &str = include_str!("../../commands/schema.json");

#[cfg(test)]
mod tests {
    #![expect(
        clippy::disallowed_methods,
        reason = "a file that is made from types is written and compared"
    )]

    use super::COMMAND_FILE_SCHEMA;
    use crate::knowledge::file::NodeFile;

    #[test]
    fn the_schema_is_that_of_the_types() {
        let schema = schemars::schema_for!(NodeFile).to_value();
        let text = format!("{schema:#}\n").replace("\"NodeFile\"", "\"Command file\"");
        if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/commands/schema.json");
            std::fs::write(file, &text).expect("it can be written");
        } else {
            assert_eq!(
                COMMAND_FILE_SCHEMA, text,
                "`INSTA_UPDATE=always cargo test -p countersign-policy` writes it anew"
            );
        }
    }
}
