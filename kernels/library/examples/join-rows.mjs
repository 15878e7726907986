/** A left join of two tables' rows: parcels, and the addresses of their customers, who have none, one or several. */
import { EMPTY, join } from "webgpu-hash-table/join";
import { expect, read, storage } from "./device.mjs";

const ADDRESSES = 20_000;
const PARCELS = 30_000;
const CUSTOMERS = 15_000;

const customers = (length, salt, of) =>
  Uint32Array.from({ length }, (_, i) => (Math.imul(i + salt, 0x9e3779b1) >>> 8) % of);
const [addresses, parcels] = [customers(ADDRESSES, 0, CUSTOMERS), customers(PARCELS, ADDRESSES, 2 * CUSTOMERS)];

/** @param {GPUDevice} device */
export async function deliveries(device) {
  const [build, probe] = [addresses, parcels].map((keys) => ({ keys: storage(device, keys), n: keys.length }));
  let output;
  const { results } = await join(device, {
    kind: "left",
    build,
    probe,
    output(results) {
      output = { build: storage(device, results), probe: storage(device, results) };
      return output;
    },
  });
  const [rows, asked] = [await read(device, output.build), await read(device, output.probe)];
  for (const buffer of [build.keys, probe.keys, output.build, output.probe]) buffer.destroy();

  const partners = new Map();
  for (const customer of addresses) partners.set(customer, (partners.get(customer) ?? 0) + 1);
  const expected = parcels.reduce((sum, customer) => sum + (partners.get(customer) ?? 1), 0);
  expect("results", results, expected);
  // As many as there are, all of them different and each right, are all.
  expect(
    "different results",
    new Set(asked.map((parcel, i) => parcel * (ADDRESSES + 1) + (rows[i] + 1))).size,
    expected,
  );
  let without = 0;
  for (const [i, parcel] of asked.entries()) {
    const customer = parcels[parcel];
    if (rows[i] !== EMPTY) expect(`customer of parcel ${parcel}`, addresses[rows[i]], customer);
    else if (partners.has(customer)) throw new Error(`parcel ${parcel} has an address`);
    else without++;
  }
  return `${results} results of ${PARCELS} parcels and ${ADDRESSES} addresses, ${without} without one`;
}
