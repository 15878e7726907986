// @ts-check
/** TITLE: a table for `hashbench --plugin`. */

/**
 * @param {import("hashbench").PluginHelpers} hashbench
 * @returns {import("hashbench").Description[]}
 */
export function tables({ folder, createPlanned, declare, oneOf }) {
  // `--param hash=multiply` sets one; `--series hash=mix,multiply` draws both.
  const parameters = declare({
    hash: oneOf(["mix", "multiply"], { default: "mix", meaning: "where a key's search begins" }),
  });
  /** @param {number} n Pairs. @param {number} loadFactor Pairs / slots. */
  const slotsFor = (n, loadFactor) => Math.ceil(n / loadFactor);
  return [
    {
      id: "NAME",
      // What legends show.
      title: "TITLE",
      source: "my own",
      parameters,
      // What the table is with values of these; `of` gives them with their types.
      configure(given) {
        const { hash } = parameters.of(given);
        return {
          ops: ["insert", "find", "erase"],
          maxLoadFactor: 0.95,
          // The input may have a key twice, and a second insertion adds to the first.
          duplicates: true,
          incremental: true,
          // What an operation cannot avoid: its share of the limit is that of such accesses.
          access: (op) =>
            op === "find"
              ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
              : { pattern: "cas", why: "one random 32-bit CAS" },
          bytes: (n, loadFactor) => 8 * slotsFor(n, loadFactor),
          create(gpu, { n, loadFactor, seed, counting }) {
            const slots = slotsFor(n, loadFactor);
            // One kernel an operation: insert.wgsl, find.wgsl and erase.wgsl beside this file.
            const plan = { folder, sizes: { slots, seed }, block: 1, slots, bytes: 8 * slots };
            // A condition of the kernels: @if(MULTIPLY).
            return createPlanned(gpu, { ...plan, conditions: { MULTIPLY: hash === "multiply" } }, counting);
          },
        };
      },
    },
  ];
}
