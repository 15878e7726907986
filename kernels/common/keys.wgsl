// Reserved words: no key and no value is EMPTY, no key is DELETED.
const EMPTY = 0xffffffffu;
const DELETED = 0xfffffffeu;
