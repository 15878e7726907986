/** The search on kernels of a few lines whose endings are known. */
import { expect, test } from "vitest";
import { compile } from "./compile.js";
import { Machine } from "./machine.js";
import { Memory } from "./memory.js";
import { searchSchedules } from "./search.js";

const HEAD = `
struct Plan { zero: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) wid: vec3u) { let lane = wid.x;`;

/** What two lanes, or so many, leave in four words, in all schedules; and what is wrong. */
function endings(body: string, { relaxed = false, lanes = 2, preemptions = 9 } = {}) {
  const words = new Uint32Array(4);
  const results = new Uint32Array(4);
  const bound = {
    words: new Memory(0, "words", words),
    results: new Memory(1, "results", results),
    plan: new Memory(2, "plan", new Uint32Array(1)),
  };
  const program = compile(`${HEAD}${body} }`, "main", {});
  const machine = new Machine({
    program,
    groups: [lanes, 1],
    bound,
    subgroup: 1,
    relaxed,
    place: (line) => `line ${line}`,
  });
  const found = searchSchedules(machine, { preemptions, failures: 1, old: 2 }, () => false);
  const texts = found.outcomes.map(({ changed, fault }) => {
    machine.apply(changed);
    const text = fault ?? `${[...words].join("")} ${[...results].join("")}`;
    machine.restore();
    words.fill(0);
    results.fill(0);
    return text;
  });
  return { ...found, texts: texts.toSorted() };
}

test("a load and a store of two lanes lose an addition in some schedules, an atomic addition in none", () => {
  const lost = endings("let old = atomicLoad(&words[0]); atomicStore(&words[0], old + 1u);");
  expect(lost.texts).toEqual(["1000 0000", "2000 0000"]);
  expect(lost.preemptions).toBe(Number.POSITIVE_INFINITY);
  expect(endings("atomicAdd(&words[0], 1u);", { lanes: 3 }).texts).toEqual(["3000 0000"]);
});

test("without a preemption lanes run one after another", () => {
  const one = endings("let old = atomicLoad(&words[0]); atomicStore(&words[0], old + 1u);", { preemptions: 0 });
  expect([one.texts, one.preemptions]).toEqual([["2000 0000"], 0]);
});

test("accesses to words that no other lane touches make no schedules", () => {
  expect(endings("for (var i = 0u; i < 9u; i++) { atomicAdd(&words[lane], 1u); }").schedules).toBe(1);
});

test("a weak compare-exchange may fail", () => {
  const claim = "results[0] = u32(atomicCompareExchangeWeak(&words[0], 0u, 1u).exchanged);";
  const { texts } = endings(`if (lane == 0u) { ${claim} } else { _ = atomicLoad(&words[0]); }`);
  expect(texts).toEqual(["0000 0000", "1000 1000"]);
});

const MESSAGE = (write: string, read: string) => `
  if (lane == 0u) {
    let before = atomicExchange(&words[0], 7u);
    atomicStore(&words[1], 1u | ${write});
  } else {
    let flag = atomicLoad(&words[1]);
    let data = atomicLoad(&words[0u | ${read}]);
    if (flag == 1u) { results[0] = data + 1u; }
  }`;

test("a message may be read too early if nothing orders it, and only with relaxed memory", () => {
  const [writes, reads] = ["(before & plan.zero)", "(flag & plan.zero)"];
  const sound = ["7100 0000", "7100 8000"];
  const early = [...sound, "7100 1000"].toSorted();
  expect(endings(MESSAGE("0u", "0u")).texts).toEqual(sound);
  expect(endings(MESSAGE("0u", "0u"), { relaxed: true }).texts).toEqual(early);
  expect(endings(MESSAGE(writes, "0u"), { relaxed: true }).texts).toEqual(early);
  expect(endings(MESSAGE("0u", reads), { relaxed: true }).texts).toEqual(early);
  expect(endings(MESSAGE(writes, reads), { relaxed: true }).texts).toEqual(sound);
});

test.each([
  ["results[0] = lane;", /^lanes race for word 0 of results/],
  ["while (atomicLoad(&words[0]) == 0u) {}", /^a loop goes on for ever/],
  ["results[lane + 3u] = 1u;", /^word 4 of results, which has 4/],
])("%s is a fault", (body, message) => {
  expect(endings(body).texts.filter((text) => message.test(text))).toHaveLength(1);
});

test("a lane that waits for another one is run after it", () => {
  const { texts } = endings(
    "if (lane == 0u) { while (atomicLoad(&words[0]) == 0u) {} } else { atomicStore(&words[0], 1u); }",
  );
  expect(texts).toEqual(["1000 0000"]);
});

test.each([
  ["let a = 0xffffffffu; results[0] = a + 3u;", 2],
  ["let a = 0x10001u; results[0] = (a * a) % 65536u;", 1],
  ["results[0] = (7u / 2u) * 2u + 7u % 4u - (1u << 2u);", 5],
  ["let a = 5i; results[0] = bitcast<u32>(a - 7i) & 7u;", 6],
  ["var v = vec4u(1u, 2u, 3u, 4u); v.y += 5u; results[0] = v.wy.y + u32(any(v.xz == vec2u(3u)));", 8],
  ["var a = array<vec2u, 2>(); a[1].x = 4u; let b = a; a[1].x = 9u; results[0] = b[1u].x;", 4],
  ["switch 2u { case 1u, 2u: { results[0] = 6u; } default { results[0] = 7u; } }", 6],
  ["let at = &words[1]; atomicStore(at, 3u); results[0] = select(1u, atomicLoad(at), countOneBits(7u) == 3u);", 3],
])("%s comes to %d", (body, word) => {
  const { texts } = endings(`if (lane == 0u) { ${body} }`);
  expect(texts).toEqual([expect.stringMatching(new RegExp(` ${word}000$`))]);
});

test("what is not in the subset is an error with its line", () => {
  expect(() => endings("\nlet x = 1.5;")).toThrow(/^line 7: 1\.5 is not in the subset of WGSL that can be explored$/);
  expect(() => endings("results[0] = firstSomething(1u);")).toThrow("firstSomething is not in the subset");
});

test.each(["mail", "words[1]"])("in order, a lane of a warp waits until another one has written %s", (word) => {
  const words = new Uint32Array(2);
  const program = compile(
    `
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
var<workgroup> mail: atomic<u32>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lid: u32) {
  let both = subgroupBallot(true).x;
  if (lid == 0u) {
    var got = 0u;
    for (var turn = 0u; turn < 9999u && got == 0u; turn++) { got = atomicLoad(&${word}); }
    atomicStore(&words[0], got + both);
  } else {
    atomicStore(&${word}, 4u);
  }
}`,
    "main",
    {},
  );
  const bound = { words: new Memory(0, "words", words) };
  const place = (line: number) => `line ${line}`;
  new Machine({ program, groups: [1, 1], bound, subgroup: 2, relaxed: false, place }).runInOrder();
  expect(words[0]).toBe(7);
});
