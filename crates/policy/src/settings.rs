use crate::defaults;
use crate::knowledge::CommandFile;
use crate::paths::PathList;
use crate::pattern::Pattern;
use crate::rules::Pack;
use std::collections::BTreeMap;

/// The owner's settings, resolved from every layer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Calls that are denied.
    pub deny: Vec<Pattern>,
    /// Calls that a person is asked about.
    pub ask: Vec<Pattern>,
    /// Calls that are allowed.
    pub allow: Vec<Pattern>,
    /// Paths whose change is always asked about.
    pub protected: Vec<String>,
    /// Paths whose reading is always asked about.
    pub secret: Vec<String>,
    /// Paths that nothing may touch.
    pub denied: Vec<String>,
    /// Hosts from which plainly fetching counts as reading.
    pub read_hosts: Vec<String>,
    /// Reads of remote services through their own command line tools count as reading.
    pub remote_reads: bool,
    /// Plainly fetching a page from any host counts as reading.
    pub plain_gets: bool,
    /// Packs of rules beside the built-in ones.
    pub packs: Vec<Pack>,
    /// What the owner says of programs, beside what is built in and in its place. Of several about
    /// one program the last counts.
    pub commands: Vec<CommandFile>,
    /// Exceptions to hard denies.
    pub exceptions: Vec<Exception>,
    /// What the owner says of MCP servers, by their names.
    pub mcp: BTreeMap<String, McpServer>,
    /// Parts of the workspace's settings that were ignored because they could not be read or tried
    /// to loosen something: everything but reads is flagged until they are mended.
    pub complaints: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        let owned = |list: &[&str]| list.iter().map(|&entry| entry.to_owned()).collect();
        Self {
            deny: Vec::new(),
            ask: Vec::new(),
            allow: Vec::new(),
            protected: owned(defaults::protected()),
            secret: owned(defaults::secret()),
            denied: Vec::new(),
            read_hosts: Vec::new(),
            remote_reads: false,
            plain_gets: false,
            packs: Vec::new(),
            commands: Vec::new(),
            exceptions: Vec::new(),
            mcp: BTreeMap::new(),
            complaints: Vec::new(),
        }
    }
}

/// An exception to one hard deny, for one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The rule's id.
    pub rule: String,
    /// The path that it does not hold for, with everything under it.
    pub path: Option<String>,
    /// The host that it does not hold for.
    pub host: Option<String>,
    /// Why; for people.
    pub reason: String,
}

/// What the owner says of one MCP server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct McpServer {
    /// What it says of its tools is believed.
    pub trust: bool,
    /// Tools of it that only read, by the names that it gives them.
    pub read_only: Vec<String>,
}

/// The lists of paths, ready to be asked.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) protected: PathList,
    pub(crate) secret: PathList,
    pub(crate) denied: PathList,
}

impl Lists {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            protected: PathList::new(&settings.protected),
            secret: PathList::new(&settings.secret).sparing(),
            denied: PathList::new(&with_directories(&settings.denied)),
        }
    }
}

/// `dir/**` denies the directory too: whoever takes it takes what is in it.
fn with_directories(entries: &[String]) -> Vec<String> {
    let whole = |entry: &String| entry.strip_suffix("/**").unwrap_or(entry).to_owned();
    entries.iter().map(whole).collect()
}
