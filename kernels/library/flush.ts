/** What gives back the memory of erased keys, of tables that do it when they are told. */
import type { Having } from "./offers.js";

export function flushOperation({ table: { nodes }, run, inTurn }: Having) {
  const { flush } = nodes ?? {};
  if (!flush) return {};
  return {
    async flush() {
      await inTurn("flush", () => flush.call(nodes, run));
    },
  };
}
