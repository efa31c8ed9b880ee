//! The store in memory keeps what the port promises.

use countersign_broker::store::conformance::{self, TestClock};
use countersign_broker::store::{Capacity, MemoryStore, Store};

fn open(clock: TestClock, capacity: Capacity) -> Box<dyn Store> {
    Box::new(MemoryStore::new(Box::new(clock), capacity))
}

#[test]
fn the_store_in_memory_conforms() {
    conformance::all(&open);
}
