/** Tables that differ from those of the package on purpose. */
import { configure, defineTable } from "./define.js";
import type { Description, Params, TableType, Traits } from "./table.js";

/** The table in so many banks, as on a device whose bindings are smaller; in fewer where it has not so many blocks. */
export function inBanks(type: TableType, banks: number, blockBytes: number): TableType {
  return altered(type, ({ create, bytes, sizing: { held = bytes } = {} }) => ({
    create(own, making) {
      const value = blockBytes * Math.ceil(held(making.n, making.loadFactor) / banks / blockBytes);
      return create(Object.create(own, { maxBinding: { value } }), making);
    },
  }));
}

/** The table with other traits, whatever its parameters are, and another id if one is given. */
export function altered(
  { id, description, params }: TableType,
  change: (traits: Traits, params: Params) => Partial<Traits>,
  newId = id,
): TableType {
  const changed: Description["configure"] = (own) => {
    const traits = description.configure(own);
    return { ...traits, ...change(traits, own) };
  };
  return configure(defineTable({ ...description, id: newId, configure: changed }), params);
}
