use crate::{Exit, cmd};
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// A second signature on what an AI coding agent is about to do.
#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command understands.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Global {
    /// The folder of the user's configuration [default: ~/.config/countersign]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) config_dir: Option<PathBuf>,
    /// The folder of switches and the audit log [default: ~/.local/state/countersign]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer one hook call of an agent (input on standard input)
    Hook(cmd::hook::HookArgs),
}

/// Runs the program with these arguments, the first being its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            };
            let _unheard = error.print();
            return code;
        }
    };
    match cli.command {
        Command::Hook(args) => cmd::hook::run(&cli.global, &args),
    }
}
