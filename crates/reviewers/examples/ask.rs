//! A host in sixty lines: loads a plugin and asks it about one command.
//!
//! ```console
//! $ cargo run -p countersign-reviewers --features load --example ask -- \
//!       target/release/libdeny_list.so '{"deny":["terraform"]}' 'terraform destroy'
//! ```

use countersign_reviewers::Monotonic;
use countersign_reviewers::chain::{Chain, Member, Mode};
use countersign_reviewers::core::{
    Case, CommandView, Facts, Judgement, Request, ReviewContext, Reviewer as _,
};
use countersign_reviewers::load::{Checks, Image, Plugin, Settings, become_runner_if_asked};
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    // Plugins run in child processes, and those are this program again.
    become_runner_if_asked();

    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, config, command] = args.as_slice() else {
        return Err("usage: ask PLUGIN.so CONFIG-JSON COMMAND".into());
    };

    // Nothing of the file runs before every check is passed. A real host pins the hash.
    let image = Image::open(&Path::new(file).canonicalize()?, &Checks::any())?;
    let name = image.manifest().name.clone();
    let plugin = Plugin::new(image, Settings::with_config(serde_json::from_str(config)?))?;
    let chain = Chain::new(Mode::First, vec![Member::new(&name, Box::new(plugin))])?;

    let (clock, cancelled) = (Monotonic::default(), AtomicBool::new(false));
    let context = ReviewContext::within(Duration::from_secs(30), &clock, &cancelled);
    let said = match chain.review(&case(command), &context) {
        Ok(Some(review)) => format!("{}: {}", review.verdict, review.rationale),
        Ok(None) => "no opinion".to_owned(),
        // Never an allow: a person decides, or it is a deny.
        Err(failure) => format!(
            "{}: {failure}",
            failure.verdict(context.person, context.on_failure)
        ),
    };
    Ok(writeln!(std::io::stdout(), "{said}")?)
}

/// A real host takes the judgement from `countersign-policy`.
fn case(command: &str) -> Case {
    let request = Request::command("ask-1", "ask", "/", command);
    let mut judgement = Judgement::empty(Facts::virtual_at("/home/user", &["/"]), "none");
    judgement.commands.push(CommandView::plain(command));
    Case::new(request, judgement)
}
