use crate::paths::Dirs;
use crate::{Exit, cmd, output};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use tracing::level_filters::LevelFilter;

/// A second signature on what an AI coding agent is about to do.
#[derive(Debug, Parser)]
#[command(
    name = "countersign",
    version,
    propagate_version = true,
    term_width = 0,
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
    /// What is told on standard error beside the answer: plugins' own lines for one [default: warn,
    /// and for `hook` off]
    #[arg(long, global = true, value_enum, value_name = "LEVEL")]
    pub(crate) log: Option<LogLevel>,
}

/// How much is told on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// Nothing
    Off,
    /// What failed
    Error,
    /// And what is not as it should be
    Warn,
    /// And what is worth knowing
    Info,
    /// And every step
    Debug,
}

impl Global {
    /// The folders in use.
    pub(crate) fn dirs(&self) -> Result<Dirs, String> {
        Dirs::find(self.config_dir.as_deref(), self.state_dir.as_deref())
            .map_err(|error| error.to_string())
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Decide one call: exit 0 allow, 10 a person decides, 11 revise, 12 deny
    Check(cmd::check::CheckArgs),
    /// Show the way from text to commands, effects, rules and verdict
    Explain(cmd::explain::ExplainArgs),
    /// Answer one hook call of an agent (input on standard input)
    Hook(cmd::hook::HookArgs),
    /// Register the gate with an agent
    Install(cmd::install::InstallArgs),
    /// Take the gate out of an agent's settings
    Uninstall(cmd::install::EditArgs),
    /// Check that the gate is in place, and say what remains
    Doctor(cmd::doctor::DoctorArgs),
    /// Print the commands that shell source would run
    Lex(cmd::lex::LexArgs),
    /// Judge every call
    On,
    /// Leave every call to the agent's own flow (from a person's terminal)
    Off,
    /// Deny every call until a person lifts it with `on`
    Lockdown,
    /// Say what the gate does with calls now
    Status,
    /// List what reviewers denied lately
    Denials(cmd::denials::DenialsArgs),
    /// Let one exact retry of a denied call run (from a person's terminal)
    Approve(cmd::denials::ApproveArgs),
    /// The same for a call that was denied as critical: a code is typed
    BreakGlass(cmd::denials::BreakGlassArgs),
    /// Show and close breakers: they end reviews for an agent that is denied again and again
    Breaker(cmd::breaker::BreakerArgs),
    /// Show and extend how often calls are sent back to be changed
    Budget(cmd::breaker::BudgetArgs),
    /// List one-use grants
    Grants(cmd::breaker::GrantsArgs),
    /// List calls that wait for a person, and answer one
    Pending(cmd::pending::PendingArgs),
    /// Close every open breaker (from a person's terminal)
    Reset,
    /// Add, look at and check reviewer plugins
    Plugin(cmd::plugin::PluginArgs),
    /// Choose who is asked about calls that rules cannot decide
    Reviewer(cmd::reviewer::ReviewerArgs),
    /// Show and check settings
    Config(cmd::config::ConfigArgs),
    /// Show and check the audit log
    Audit(cmd::audit::AuditArgs),
    /// Print label × verdict tables over files of labelled commands
    Eval(cmd::eval::EvalArgs),
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
    let Cli { global, command } = cli;
    let usual = match command {
        Command::Hook(_) => LogLevel::Off,
        _ => LogLevel::Warn,
    };
    listen(global.log.unwrap_or(usual));
    // Agents run the tool on any other code.
    let failed = match command {
        Command::Hook(_) => Exit::Usage,
        _ => Exit::Internal,
    };
    let exit = guarded(failed, || {
        dispatch(&global, command).unwrap_or_else(|problem| {
            let _unheard = writeln!(std::io::stderr(), "countersign: {problem}");
            Exit::Usage
        })
    });
    output::release(exit.code().into());
    exit
}

/// Sends what is logged to standard error. No time stands before it: the same call says the same.
fn listen(level: LogLevel) {
    let most = match level {
        LogLevel::Off => return,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let _set_before_by_an_embedding_host = tracing_subscriber::fmt()
        .with_max_level(most)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time()
        .try_init();
}

/// A panic has been told on standard error by then.
fn guarded(failed: Exit, command: impl FnOnce() -> Exit) -> Exit {
    catch_unwind(AssertUnwindSafe(command)).unwrap_or(failed)
}

fn dispatch(global: &Global, command: Command) -> Result<Exit, String> {
    match command {
        Command::Hook(args) => Ok(cmd::hook::run(global, &args)),
        Command::Check(args) => cmd::check::run(global, &args),
        Command::Install(args) => cmd::install::install(global, &args),
        Command::Uninstall(args) => cmd::install::uninstall(global, &args),
        Command::Doctor(args) => cmd::doctor::run(global, &args),
        Command::Explain(args) => cmd::explain::run(global, &args),
        Command::Eval(args) => cmd::eval::run(global, &args),
        Command::Lex(args) => cmd::lex::run(&args),
        Command::On => cmd::switch::on(global),
        Command::Off => cmd::switch::off(global),
        Command::Lockdown => cmd::switch::lockdown(global),
        Command::Status => cmd::switch::status(global),
        Command::Denials(args) => cmd::denials::list(global, &args),
        Command::Approve(args) => cmd::denials::approve(global, &args),
        Command::BreakGlass(args) => cmd::denials::break_glass(global, &args),
        Command::Breaker(args) => cmd::breaker::breaker(global, &args),
        Command::Budget(args) => cmd::breaker::budget(global, &args),
        Command::Grants(args) => cmd::breaker::grants(global, &args),
        Command::Pending(args) => cmd::pending::run(global, &args),
        Command::Reset => cmd::breaker::reset_all(global),
        Command::Plugin(args) => cmd::plugin::run(global, &args),
        Command::Reviewer(args) => cmd::reviewer::run(global, &args),
        Command::Config(args) => cmd::config::run(global, &args),
        Command::Audit(args) => cmd::audit::run(global, &args),
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, guarded};

    #[test]
    fn a_panic_is_no_answer() {
        for failed in [Exit::Internal, Exit::Usage] {
            assert_eq!(guarded(failed, || panic!("in the middle")), failed);
            assert_eq!(guarded(failed, || Exit::Deny), Exit::Deny);
        }
        assert_eq!(Exit::Internal.code(), 70);
    }
}
