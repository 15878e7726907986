/** A group-by: of each product for how much it was sold, in 64 bits, and how often. Groups come in any order. */
import { groupBy } from "webgpu-hash-table/group-by";
import { expect, read, storage } from "./device.mjs";

const SALES = 100_000;
const PRODUCTS = 3000;

const column = (of) => Uint32Array.from({ length: SALES }, (_, i) => of(i));
const products = column((i) => (Math.imul(i, 0x9e3779b1) >>> 8) % PRODUCTS);
const prices = column((i) => Math.imul(i, 0x85ebca6b) >>> 0);

/** @param {GPUDevice} device */
export async function sales(device) {
  const [keys, priced] = [products, prices].map((one) => storage(device, one));
  let output;
  const { groups, words } = await groupBy(device, {
    keys,
    columns: [priced],
    n: SALES,
    aggregates: ["sum64", "count"],
    output(groups, words) {
      output = { keys: storage(device, groups), answers: storage(device, words.length * groups) };
      return output;
    },
  });
  const [found, answers] = [await read(device, output.keys), await read(device, output.answers)];
  for (const buffer of [keys, priced, output.keys, output.answers]) buffer.destroy();

  const expected = new Map();
  for (const [i, product] of products.entries()) {
    const { sum, count } = expected.get(product) ?? { sum: 0, count: 0 };
    // A double has sums below 2^53 exactly.
    expected.set(product, { sum: sum + prices[i], count: count + 1 });
  }
  expect("words", words.map(({ of }) => of).join(), "sum,upper,count");
  expect("groups", new Set(found).size, expected.size);
  for (const [g, product] of found.entries()) {
    const [sum, upper, count] = [0, 1, 2].map((word) => answers[word * groups + g]);
    const right = expected.get(product);
    expect(`sum of product ${product}`, upper * 2 ** 32 + sum, right.sum);
    expect(`sales of product ${product}`, count, right.count);
  }
  return `${SALES} sales of ${groups} products`;
}
