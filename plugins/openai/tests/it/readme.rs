use countersign_plugin_openai::OpenAi;
use countersign_reviewers::testkit::Tested;
use serde_json::Value;

#[test]
fn every_configuration_in_the_readme_is_a_good_one() {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```toml\n").skip(1);
    let mut servers = 0;
    for block in blocks.filter_map(|block| block.split("```").next()) {
        let file: Value = toml::from_str(block).expect("TOML");
        for (name, reviewer) in file["reviewers"].as_object().expect("reviewers") {
            let plugin = reviewer
                .get("plugin")
                .and_then(Value::as_str)
                .unwrap_or(name);
            assert_eq!(plugin, "openai");
            Tested::<OpenAi>::new(&reviewer["config"]).expect(block);
            servers += 1;
        }
    }
    assert_eq!(servers, 6);
}

#[test]
fn the_readme_names_every_key() {
    let tested = Tested::<OpenAi>::new(&Value::Null).expect("made to be described");
    let described = tested.describe().expect("a description");
    let keys = described["config_schema"]["properties"]
        .as_object()
        .expect("keys");
    for key in keys.keys() {
        assert!(
            include_str!("../../README.md").contains(&format!("\n| `{key}` |")),
            "{key}"
        );
    }
}
