/** The access patterns of device/limits, as data. */

export interface Pattern {
  readonly id: string;
  readonly title: string;
  /**
   * `read`: random reads. `lookup`: these, with the key read and the result written. `launch`: a dispatch of a single workgroup of
   * lookups. `chain`: reads of a lane, each after the one before. `modify`: RMWs and writes. `move`: a read, then a write. `copy`: a copy.
   */
  readonly kind: "copy" | "read" | "lookup" | "launch" | "chain" | "modify" | "move";
  readonly file: string;
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly constants: Readonly<Record<string, number>>;
  /** Bytes of one random block. */
  readonly blockBytes: number;
  /** Lanes that read one block. */
  readonly lanes: number;
  /** Accesses of a dispatch, whatever the cell's n is. */
  readonly items?: number;
}

/** Lookups of the pattern `launch`: those of a workgroup. */
export const LAUNCH_LOOKUPS = 256;

/** Reads of the pattern `chain4`: of a lane and, where these are fewer, of all. */
export const CHAIN_READS = { one: 4096, least: 64, all: 2 ** 18 };

/** Bytes of a block, and how many lanes read it, where that is not one. */
const BLOCKS = [
  "4",
  "8",
  "16",
  "32",
  "64",
  "128",
  "32x2",
  "64x4",
  "128x2",
  "128x4",
  "128x8",
  "64x16",
  "128x16",
  "128x32",
];

function read(kind: "read" | "lookup", block: string): Pattern {
  const [bytes = 0, lanes = 1] = block.split("x").map(Number);
  const perLane = bytes / lanes;
  return {
    id: `${kind}${block}`,
    title: `${bytes} B, ${lanes === 1 ? "one lane" : `${lanes} lanes`}`,
    kind,
    file: "bench/scenarios/limits/read.wgsl",
    conditions: { WORDS: perLane === 4, PAIR: perLane === 8, LOOKUP: kind === "lookup", TILES: lanes > 1 },
    constants: { LANES: lanes, LOADS: Math.max(1, perLane / 16) },
    blockBytes: bytes,
    lanes,
  };
}

function modify(id: string, title: string, blockBytes: number, access?: number): Pattern {
  return {
    id,
    title,
    kind: "modify",
    file: "bench/scenarios/limits/modify.wgsl",
    conditions: {
      RMW: access !== undefined,
      VALUE: id === "cas-write",
      LINE: id === "cas-line",
      WORDS: id === "write4" || id === "move4",
      MOVE: id === "move4",
      PAIR: id === "write8",
      PUTS: access === undefined,
    },
    constants: access === undefined ? {} : { ACCESS: access },
    blockBytes,
    lanes: 1,
  };
}

export const patterns: readonly Pattern[] = [
  {
    id: "copy",
    title: "Coalesced copy",
    kind: "copy",
    file: "kernels/common/copy.wgsl",
    conditions: {},
    constants: {},
    blockBytes: 16,
    lanes: 1,
  },
  ...BLOCKS.map((block) => read("read", block)),
  ...BLOCKS.map((block) => read("lookup", block)),
  {
    ...read("lookup", "4"),
    id: "launch",
    title: "A dispatch of 256 lookups, 4 B",
    kind: "launch",
    items: LAUNCH_LOOKUPS,
  },
  {
    id: "chain4",
    title: "Reads one after another, 4 B",
    kind: "chain",
    file: "bench/scenarios/limits/chain.wgsl",
    conditions: {},
    constants: {},
    blockBytes: 4,
    lanes: 1,
    items: CHAIN_READS.one,
  },
  modify("exchange", "atomicExchange, 4 B", 4, 0),
  modify("cas", "atomicCompareExchange, 4 B", 4, 1),
  modify("cas-write", "atomicCompareExchange, 4 B, and a write, 4 B, in another array", 8, 1),
  modify("cas-line", "atomicCompareExchange, 4 B, and a write, 4 B, in the same 64 B", 64, 1),
  modify("and", "atomicAnd, 4 B", 4, 2),
  modify("write4", "Write, 4 B", 4),
  modify("write8", "Write, 8 B", 8),
  { ...modify("move4", "A read, and a write elsewhere, 4 B each", 4), kind: "move" },
];
