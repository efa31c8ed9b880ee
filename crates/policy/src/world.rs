use countersign_core::{Facts, PathFact, PathKind, Query, RepositoryFact};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The facts, and a note of every question that they were asked: the first pass keeps the
/// questions, the second their answers. Nothing else reaches policy from outside.
#[derive(Debug)]
pub(crate) struct World<'a> {
    pub(crate) facts: &'a Facts,
    asked: RefCell<BTreeSet<Query>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(facts: &'a Facts) -> Self {
        Self {
            facts,
            asked: RefCell::new(BTreeSet::new()),
        }
    }

    /// What was seen at an absolute path; `None` where nobody looked.
    pub(crate) fn path(&self, path: &str) -> Option<&'a PathFact> {
        if !self.facts.virtual_files {
            self.ask(Query::Path(path.to_owned()));
        }
        self.facts.paths.get(path)
    }

    /// What kind of thing is at an absolute path.
    pub(crate) fn kind(&self, path: &str) -> PathKind {
        self.path(path).map_or(PathKind::Unknown, |fact| fact.kind)
    }

    /// What the repository around a directory executes when it is read; `None` when nobody knows.
    pub(crate) fn repository(&self, dir: &str) -> Option<RepositoryFact> {
        if self.facts.virtual_files {
            return Some(
                self.facts
                    .repositories
                    .get(dir)
                    .cloned()
                    .unwrap_or_default(),
            );
        }
        self.ask(Query::Repository(dir.to_owned()));
        self.facts.repositories.get(dir).cloned()
    }

    /// Notes that the contents of a file decide what runs.
    pub(crate) fn runs(&self, path: &str) {
        if !self.facts.virtual_files {
            self.ask(Query::Contents(path.to_owned()));
        }
    }

    /// Whether something is at a path already that writing would lose.
    pub(crate) fn would_lose(&self, path: &str) -> bool {
        self.kind(path) == PathKind::File
    }

    pub(crate) fn into_asked(self) -> Vec<Query> {
        self.asked.into_inner().into_iter().collect()
    }

    fn ask(&self, query: Query) {
        self.asked.borrow_mut().insert(query);
    }
}
