// Group-by, few groups that a sample of the rows has seen: every lane has words of its own for each of them in workgroup memory, so that no
// two lanes meet. Rows of other groups go to the table in global memory.
//
// Layout: word w of group g of lane l is own[(g * WORDS + w) * LANES + l].
// Bounds: as local.wgsl.
import package::kernels::group_by::table::{COLUMNS, COLUMN_WORDS, LANES, LEAST_AT, MOST_AT, WORDS, Part, add_to_table, hash_of, neutral, part_of_row};
import package::kernels::group_by::rows::{TURNS, NONE, Rows, rows_at, values_of, row_count, next_tile};

// Groups that the sample may have seen.
const FEW = 8u;
// Lanes whose words one lane adds up first; FEW * SPANS = LANES.
const SPAN = 8u;
override SPANS: u32 = LANES / FEW;
override OWN_WORDS: u32 = FEW * WORDS * LANES;
var<workgroup> own: array<u32, OWN_WORDS>;

// Keys of the groups, and how many there are.
@group(0) @binding(10) var<storage, read> few: array<u32>;
@group(0) @binding(11) var<uniform> known: u32;

fn key_at(group: u32) -> u32 { return few[select(0u, group, group < known)]; }

fn word_at(group: u32, word: u32, lane: u32) -> u32 { return (group * WORDS + word) * LANES + lane; }

fn add(at: u32, part: Part) {
  for (var column = 0u; column < COLUMNS; column++) {
    let word = at + column * COLUMN_WORDS * LANES;
    @if(SUM) {
      let sum = own[word] + part.sums[column];
      @if(SUM64) own[word + LANES] += part.uppers[column] + select(0u, 1u, sum < part.sums[column]);
      own[word] = sum;
    }
    @if(MIN) own[word + LEAST_AT * LANES] = min(own[word + LEAST_AT * LANES], part.least[column]);
    @if(MAX) own[word + MOST_AT * LANES] = max(own[word + MOST_AT * LANES], part.most[column]);
  }
  @if(ROWS) own[at + COLUMNS * COLUMN_WORDS * LANES] += part.rows;
}
fn part_of(group: u32, lane: u32) -> Part {
  var part = Part();
  for (var column = 0u; column < COLUMNS; column++) {
    let word = column * COLUMN_WORDS;
    @if(SUM) part.sums[column] = own[word_at(group, word, lane)];
    @if(SUM64) part.uppers[column] = own[word_at(group, word + 1u, lane)];
    @if(MIN) part.least[column] = own[word_at(group, word + LEAST_AT, lane)];
    @if(MAX) part.most[column] = own[word_at(group, word + MOST_AT, lane)];
  }
  @if(ROWS) part.rows = own[word_at(group, COLUMNS * COLUMN_WORDS, lane)];
  return part;
}

// The keys stay in registers: the first of two that are equal counts.
fn add_row(key: u32, values: vec4u, near: vec4u, far: vec4u, lid: u32) {
  var group = FEW;
  group = select(group, 7u, key == far.w);
  group = select(group, 6u, key == far.z);
  group = select(group, 5u, key == far.y);
  group = select(group, 4u, key == far.x);
  group = select(group, 3u, key == near.w);
  group = select(group, 2u, key == near.z);
  group = select(group, 1u, key == near.y);
  group = select(group, 0u, key == near.x);
  if (group == FEW) {
    add_to_table(hash_of(key), part_of_row(values));
  } else {
    add(word_at(group, 0u, lid), part_of_row(values));
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lid: u32) {
  let rows = row_count();
  var first = next_tile(lid);
  if (first == NONE) { return; }
  for (var group = 0u; group < FEW; group++) {
    for (var word = 0u; word < WORDS; word++) { own[word_at(group, word, lid)] = neutral(word); }
  }
  let near = vec4u(key_at(0u), key_at(1u), key_at(2u), key_at(3u));
  let far = vec4u(key_at(4u), key_at(5u), key_at(6u), key_at(7u));
  for (; first != NONE; first = next_tile(lid)) {
    for (var turn = 0u; turn < TURNS; turn++) {
      let at = first + turn * LANES + lid;
      if (4u * at < rows) {
        let four = rows_at(at);
        add_row(four.keys.x, values_of(four, 0u), near, far, lid);
        if (4u * at + 1u < rows) { add_row(four.keys.y, values_of(four, 1u), near, far, lid); }
        if (4u * at + 2u < rows) { add_row(four.keys.z, values_of(four, 2u), near, far, lid); }
        if (4u * at + 3u < rows) { add_row(four.keys.w, values_of(four, 3u), near, far, lid); }
      }
    }
  }
  workgroupBarrier();
  // A lane adds up SPAN lanes' words of a group, and one lane what these have.
  let group = lid / SPANS;
  let begin = (lid % SPANS) * SPAN;
  for (var lane = begin + 1u; lane < begin + SPAN; lane++) { add(word_at(group, 0u, begin), part_of(group, lane)); }
  workgroupBarrier();
  if (lid >= min(FEW, known)) { return; }
  for (var lane = SPAN; lane < LANES; lane += SPAN) { add(word_at(lid, 0u, 0u), part_of(lid, lane)); }
  add_to_table(hash_of(key_at(lid)), part_of(lid, 0u));
}
