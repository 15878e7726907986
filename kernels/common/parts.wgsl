// Parts of a table, by plain loads of a vec4 or, with condition WORDS, a word, with PAIR, a vec2, with RECORD, a pair of records.wgsl: in
// dispatches that do not change it or, PUTS, that write it by plain stores. BANKED: as in words.wgsl.
import package::kernels::common::banks::At;
@if(RECORD) import package::kernels::common::records::{Key, Value, Pair};

@if(WORDS) alias Part = u32;
@if(PAIR) alias Part = vec2u;
@if(RECORD) alias Part = Pair;
@if(!WORDS && !PAIR && !RECORD) alias Part = vec4u;
@if(WORDS) const PART_WORDS = 1u;
@if(PAIR) const PART_WORDS = 2u;
@if(!WORDS && !PAIR && !RECORD) const PART_WORDS = 4u;

@if(!PUTS) @group(0) @binding(0) var<storage, read> table: array<Part>;
@if(!PUTS) @group(0) @binding(0) var<storage, read> bank0: array<Part>;
@if(!PUTS) @group(0) @binding(33) var<storage, read> bank1: array<Part>;
@if(!PUTS) @group(0) @binding(34) var<storage, read> bank2: array<Part>;
@if(!PUTS) @group(0) @binding(35) var<storage, read> bank3: array<Part>;
@if(!PUTS) @group(0) @binding(36) var<storage, read> bank4: array<Part>;
@if(!PUTS) @group(0) @binding(37) var<storage, read> bank5: array<Part>;
@if(!PUTS) @group(0) @binding(38) var<storage, read> bank6: array<Part>;
@if(!PUTS) @group(0) @binding(39) var<storage, read> bank7: array<Part>;
@if(!PUTS) @group(0) @binding(40) var<storage, read> bank8: array<Part>;
@if(!PUTS) @group(0) @binding(41) var<storage, read> bank9: array<Part>;
@if(!PUTS) @group(0) @binding(42) var<storage, read> bank10: array<Part>;
@if(!PUTS) @group(0) @binding(43) var<storage, read> bank11: array<Part>;
@if(!PUTS) @group(0) @binding(44) var<storage, read> bank12: array<Part>;
@if(!PUTS) @group(0) @binding(45) var<storage, read> bank13: array<Part>;
@if(!PUTS) @group(0) @binding(46) var<storage, read> last_bank: array<Part>;
@if(PUTS) @group(0) @binding(0) var<storage, read_write> table: array<Part>;
@if(PUTS) @group(0) @binding(0) var<storage, read_write> bank0: array<Part>;
@if(PUTS) @group(0) @binding(33) var<storage, read_write> bank1: array<Part>;
@if(PUTS) @group(0) @binding(34) var<storage, read_write> bank2: array<Part>;
@if(PUTS) @group(0) @binding(35) var<storage, read_write> bank3: array<Part>;
@if(PUTS) @group(0) @binding(36) var<storage, read_write> bank4: array<Part>;
@if(PUTS) @group(0) @binding(37) var<storage, read_write> bank5: array<Part>;
@if(PUTS) @group(0) @binding(38) var<storage, read_write> bank6: array<Part>;
@if(PUTS) @group(0) @binding(39) var<storage, read_write> bank7: array<Part>;
@if(PUTS) @group(0) @binding(40) var<storage, read_write> bank8: array<Part>;
@if(PUTS) @group(0) @binding(41) var<storage, read_write> bank9: array<Part>;
@if(PUTS) @group(0) @binding(42) var<storage, read_write> bank10: array<Part>;
@if(PUTS) @group(0) @binding(43) var<storage, read_write> bank11: array<Part>;
@if(PUTS) @group(0) @binding(44) var<storage, read_write> bank12: array<Part>;
@if(PUTS) @group(0) @binding(45) var<storage, read_write> bank13: array<Part>;
@if(PUTS) @group(0) @binding(46) var<storage, read_write> last_bank: array<Part>;

@if(!BANKED) fn part_at(at: At) -> Part { return table[at.word]; }
@if(BANKED) fn part_at(at: At) -> Part {
  switch at.bank {
    case 0u: { return bank0[at.word]; }
    @if(BANK_3) case 1u: { return bank1[at.word]; }
    @if(BANK_4) case 2u: { return bank2[at.word]; }
    @if(BANK_5) case 3u: { return bank3[at.word]; }
    @if(BANK_6) case 4u: { return bank4[at.word]; }
    @if(BANK_7) case 5u: { return bank5[at.word]; }
    @if(BANK_8) case 6u: { return bank6[at.word]; }
    @if(BANK_9) case 7u: { return bank7[at.word]; }
    @if(BANK_10) case 8u: { return bank8[at.word]; }
    @if(BANK_11) case 9u: { return bank9[at.word]; }
    @if(BANK_12) case 10u: { return bank10[at.word]; }
    @if(BANK_13) case 11u: { return bank11[at.word]; }
    @if(BANK_14) case 12u: { return bank12[at.word]; }
    @if(BANK_15) case 13u: { return bank13[at.word]; }
    default: { return last_bank[at.word]; }
  }
}

// That part and the next one, of a block: the bank is chosen once for both.
struct Two { first: Part, second: Part }
@if(!BANKED) fn two_at(at: At) -> Two { return Two(table[at.word], table[at.word + 1u]); }
@if(BANKED) fn two_at(at: At) -> Two {
  switch at.bank {
    case 0u: { return Two(bank0[at.word], bank0[at.word + 1u]); }
    @if(BANK_3) case 1u: { return Two(bank1[at.word], bank1[at.word + 1u]); }
    @if(BANK_4) case 2u: { return Two(bank2[at.word], bank2[at.word + 1u]); }
    @if(BANK_5) case 3u: { return Two(bank3[at.word], bank3[at.word + 1u]); }
    @if(BANK_6) case 4u: { return Two(bank4[at.word], bank4[at.word + 1u]); }
    @if(BANK_7) case 5u: { return Two(bank5[at.word], bank5[at.word + 1u]); }
    @if(BANK_8) case 6u: { return Two(bank6[at.word], bank6[at.word + 1u]); }
    @if(BANK_9) case 7u: { return Two(bank7[at.word], bank7[at.word + 1u]); }
    @if(BANK_10) case 8u: { return Two(bank8[at.word], bank8[at.word + 1u]); }
    @if(BANK_11) case 9u: { return Two(bank9[at.word], bank9[at.word + 1u]); }
    @if(BANK_12) case 10u: { return Two(bank10[at.word], bank10[at.word + 1u]); }
    @if(BANK_13) case 11u: { return Two(bank11[at.word], bank11[at.word + 1u]); }
    @if(BANK_14) case 12u: { return Two(bank12[at.word], bank12[at.word + 1u]); }
    @if(BANK_15) case 13u: { return Two(bank13[at.word], bank13[at.word + 1u]); }
    default: { return Two(last_bank[at.word], last_bank[at.word + 1u]); }
  }
}

// Of a pair that is a struct the key or the value alone.
@if(RECORD && !BANKED) fn key_at(at: At) -> Key { return table[at.word].key; }
@if(RECORD && BANKED) fn key_at(at: At) -> Key {
  switch at.bank {
    case 0u: { return bank0[at.word].key; }
    @if(BANK_3) case 1u: { return bank1[at.word].key; }
    @if(BANK_4) case 2u: { return bank2[at.word].key; }
    @if(BANK_5) case 3u: { return bank3[at.word].key; }
    @if(BANK_6) case 4u: { return bank4[at.word].key; }
    @if(BANK_7) case 5u: { return bank5[at.word].key; }
    @if(BANK_8) case 6u: { return bank6[at.word].key; }
    @if(BANK_9) case 7u: { return bank7[at.word].key; }
    @if(BANK_10) case 8u: { return bank8[at.word].key; }
    @if(BANK_11) case 9u: { return bank9[at.word].key; }
    @if(BANK_12) case 10u: { return bank10[at.word].key; }
    @if(BANK_13) case 11u: { return bank11[at.word].key; }
    @if(BANK_14) case 12u: { return bank12[at.word].key; }
    @if(BANK_15) case 13u: { return bank13[at.word].key; }
    default: { return last_bank[at.word].key; }
  }
}
@if(RECORD && !BANKED) fn value_at(at: At) -> Value { return table[at.word].value; }
@if(RECORD && BANKED) fn value_at(at: At) -> Value {
  switch at.bank {
    case 0u: { return bank0[at.word].value; }
    @if(BANK_3) case 1u: { return bank1[at.word].value; }
    @if(BANK_4) case 2u: { return bank2[at.word].value; }
    @if(BANK_5) case 3u: { return bank3[at.word].value; }
    @if(BANK_6) case 4u: { return bank4[at.word].value; }
    @if(BANK_7) case 5u: { return bank5[at.word].value; }
    @if(BANK_8) case 6u: { return bank6[at.word].value; }
    @if(BANK_9) case 7u: { return bank7[at.word].value; }
    @if(BANK_10) case 8u: { return bank8[at.word].value; }
    @if(BANK_11) case 9u: { return bank9[at.word].value; }
    @if(BANK_12) case 10u: { return bank10[at.word].value; }
    @if(BANK_13) case 11u: { return bank11[at.word].value; }
    @if(BANK_14) case 12u: { return bank12[at.word].value; }
    @if(BANK_15) case 13u: { return bank13[at.word].value; }
    default: { return last_bank[at.word].value; }
  }
}

@if(PUTS && !BANKED) fn put_part(at: At, part: Part) { table[at.word] = part; }
@if(PUTS && BANKED) fn put_part(at: At, part: Part) {
  switch at.bank {
    case 0u: { bank0[at.word] = part; }
    @if(BANK_3) case 1u: { bank1[at.word] = part; }
    @if(BANK_4) case 2u: { bank2[at.word] = part; }
    @if(BANK_5) case 3u: { bank3[at.word] = part; }
    @if(BANK_6) case 4u: { bank4[at.word] = part; }
    @if(BANK_7) case 5u: { bank5[at.word] = part; }
    @if(BANK_8) case 6u: { bank6[at.word] = part; }
    @if(BANK_9) case 7u: { bank7[at.word] = part; }
    @if(BANK_10) case 8u: { bank8[at.word] = part; }
    @if(BANK_11) case 9u: { bank9[at.word] = part; }
    @if(BANK_12) case 10u: { bank10[at.word] = part; }
    @if(BANK_13) case 11u: { bank11[at.word] = part; }
    @if(BANK_14) case 12u: { bank12[at.word] = part; }
    @if(BANK_15) case 13u: { bank13[at.word] = part; }
    default: { last_bank[at.word] = part; }
  }
}

// Parts that a bank has.
@if(BANKED) fn bank_parts(bank: u32) -> u32 {
  switch bank {
    case 0u: { return arrayLength(&bank0); }
    @if(BANK_3) case 1u: { return arrayLength(&bank1); }
    @if(BANK_4) case 2u: { return arrayLength(&bank2); }
    @if(BANK_5) case 3u: { return arrayLength(&bank3); }
    @if(BANK_6) case 4u: { return arrayLength(&bank4); }
    @if(BANK_7) case 5u: { return arrayLength(&bank5); }
    @if(BANK_8) case 6u: { return arrayLength(&bank6); }
    @if(BANK_9) case 7u: { return arrayLength(&bank7); }
    @if(BANK_10) case 8u: { return arrayLength(&bank8); }
    @if(BANK_11) case 9u: { return arrayLength(&bank9); }
    @if(BANK_12) case 10u: { return arrayLength(&bank10); }
    @if(BANK_13) case 11u: { return arrayLength(&bank11); }
    @if(BANK_14) case 12u: { return arrayLength(&bank12); }
    @if(BANK_15) case 13u: { return arrayLength(&bank13); }
    default: { return arrayLength(&last_bank); }
  }
}
