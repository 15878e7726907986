/** What worker threads generate: a block's words, of a block that is plain data, or memory that they share. */
import { blockKeys } from "../tpch/keys.js";
import { queryBlock } from "../tpch/queries.js";
import { zipfBlock } from "../zipf-ranks.js";

const MAKERS = { lineitem: blockKeys, query: queryBlock, zipf: zipfBlock } as const;

export type Kind = keyof typeof MAKERS;
export type BlockOf<K extends Kind> = Parameters<(typeof MAKERS)[K]>[0];

export function makeBlock<K extends Kind>(kind: K, block: BlockOf<K>): Uint32Array {
  const make = MAKERS[kind] as (block: BlockOf<K>) => Uint32Array;
  return make(block);
}
