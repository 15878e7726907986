// Reserved words: no key and no value is EMPTY, no key is DELETED.
const EMPTY = 0xffffffffu;
const DELETED = 0xfffffffeu;

// What insertions take; they refuse all other pairs, and count them. A key with the value EMPTY would be answered like an absent one.
fn is_pair(key: u32, value: u32) -> bool { return key < DELETED && value != EMPTY; }
