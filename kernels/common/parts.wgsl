// Parts of a table, by plain loads of a vec4 or, with condition WORDS, a word, with PAIR, a vec2, with RECORD, a pair of records.wgsl: in
// dispatches that do not change it or, PUTS, that write it by plain stores. BANKED, @each_bank: as in banks.wgsl.
import package::kernels::common::banks::At;
@if(RECORD) import package::kernels::common::records::{Key, Value, Pair};

@if(WORDS) alias Part = u32;
@if(PAIR) alias Part = vec2u;
@if(RECORD) alias Part = Pair;
@if(!WORDS && !PAIR && !RECORD) alias Part = vec4u;
@if(WORDS) const PART_WORDS = 1u;
@if(PAIR) const PART_WORDS = 2u;
@if(!WORDS && !PAIR && !RECORD) const PART_WORDS = 4u;

@if(!PUTS) @each_bank @group(0) @binding(0) var<storage, read> table: array<Part>;
@if(PUTS) @each_bank @group(0) @binding(0) var<storage, read_write> table: array<Part>;

@each_bank fn part_at(at: At) -> Part { return table[at.word]; }

// That part and the next one, of a block: the bank is chosen once for both.
struct Two { first: Part, second: Part }
@each_bank fn two_at(at: At) -> Two { return Two(table[at.word], table[at.word + 1u]); }

// Of a pair that is a struct the key or the value alone.
@if(RECORD) @each_bank fn key_at(at: At) -> Key { return table[at.word].key; }
@if(RECORD) @each_bank fn value_at(at: At) -> Value { return table[at.word].value; }

@if(PUTS) @each_bank fn put_part(at: At, part: Part) { table[at.word] = part; }

// Parts that a bank has.
@each_bank fn bank_parts(bank: u32) -> u32 { return arrayLength(&table); }
