import { expect, test } from "vitest";
import { MadeAhead, type Wanted } from "../../datasets/ahead.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { Owned } from "../../kernels/device/owned.js";
import { cell } from "../results/testing.js";
import type { DeviceKeys } from "../scenarios/workload/keys.js";
import { KeySets } from "./key-sets.js";

/** Sets of 100 bytes; those whose name begins with "own" are made by the device. Notes what is loaded and freed. */
function sets(room: number) {
  const log: string[] = [];
  const buffer = { size: 50 } as GPUBuffer;
  const load = async (_: unknown, id: string) => {
    log.push(`+${id}`);
    const destroy = () => void log.push(`-${id}`);
    return { id, keys: buffer, absent: buffer, fromHost: !id.startsWith("own"), destroy } as Owned<DeviceKeys>;
  };
  return { log, load, keys: new KeySets(new FakeGpu(), load, room) };
}
const wanting = (...names: string[]) => names.map((dataset) => cell({ dataset, n: 1, seed: 2 }));

test("a set in parts is another one, but where one buffer is enough", async () => {
  const { log, keys } = sets(1000);
  const whole = await keys.get("a", 1, 2);
  expect(await keys.get("a", 1, 2, true)).toBe(whole);
  const many = 2 ** 30;
  expect(await keys.get("b", many, 2, true)).not.toBe(await keys.get("b", many, 2));
  expect(log).toEqual(["+a", "+b", "+b"]);
  await keys.keepOnly([cell({ dataset: "b", n: many, seed: 2 })]);
  expect(log).toEqual(["+a", "+b", "+b"]);
});

test("a set is loaded once for all that want it, and again for none of the next experiment's cells", async () => {
  const { log, keys } = sets(1000);
  const [a, b] = await Promise.all([keys.get("a", 1, 2), keys.get("a", 1, 2)]);
  expect(a).toBe(b);
  await keys.keepOnly([]);
  expect(await keys.get("a", 1, 2)).toBe(a);
  await keys.get("a", 1, 3);
  expect(log).toEqual(["+a", "+a"]);
});

test("what the device makes by itself is freed with its last cell", async () => {
  const { log, keys } = sets(1000);
  await keys.get("own", 1, 2);
  await keys.keepOnly(wanting("own"));
  expect(log).toEqual(["+own"]);
  await keys.keepOnly([]);
  expect(log).toEqual(["+own", "-own"]);
});

test("beyond the room the set that was wanted least recently is freed, and none that is wanted", async () => {
  const { log, keys } = sets(200);
  for (const name of ["a", "b", "c", "d"]) await keys.get(name, 1, 2);
  await keys.keepOnly(wanting("b", "c", "d"));
  await keys.keepOnly(wanting("d"));
  expect(log.filter((what) => what.startsWith("-"))).toEqual(["-a"]);
  await keys.get("b", 1, 2);
  await keys.keepOnly([]);
  expect(log.filter((what) => what.startsWith("-"))).toEqual(["-a", "-c"]);
});

test("where memory is short what nobody wants is freed, and loaded again", async () => {
  const { log, keys } = sets(1000);
  for (const name of ["a", "b"]) await keys.get(name, 1, 2);
  await keys.keepOnly(wanting("b"));
  expect(keys.release()).toBe(true);
  expect(keys.release()).toBe(false);
  await keys.get("a", 1, 2);
  expect(log).toEqual(["+a", "+b", "-a", "+a"]);
});

test("a set that could not be loaded is tried again", async () => {
  let fails = true;
  const keys = new KeySets(
    new FakeGpu(),
    async () => {
      if (fails) throw new Error("no room");
      return { id: "a" } as Owned<DeviceKeys>;
    },
    0,
  );
  await expect(keys.get("a", 1, 2)).rejects.toThrow("no room");
  fails = false;
  expect(await keys.get("a", 1, 2)).toMatchObject({ id: "a" });
});

/** Notes what is begun. */
class Noting extends MadeAhead {
  readonly log: string[] = [];
  override begin(sets: readonly Wanted[]): void {
    this.log.push(sets.map(({ dataset }) => dataset).join());
  }
  override keep(sets: readonly Wanted[]): void {
    this.log.push(`keep ${sets.map(({ dataset }) => dataset).join()}`);
  }
  override pause(): void {
    this.log.push("pause");
  }
}

test("what cells will want next, and a thread can make, is begun ahead; not what is there, and not while the CPU's clock times them", async () => {
  const ahead = new Noting();
  const buffer = { size: 50 } as GPUBuffer;
  const load = async (_: unknown, id: string) =>
    ({ id, keys: buffer, absent: buffer, fromHost: true, destroy: () => undefined }) as unknown as Owned<DeviceKeys>;
  const keys = new KeySets(new FakeGpu(), load, 1000, ahead);
  await keys.keepOnly(wanting("tw", "random", "re", "tw", "normal"));
  await keys.get("tw", 1, 2);
  await keys.get("re", 1, 2);
  await keys.keepOnly(wanting("re", "normal", "com"));
  await keys.keepOnly(wanting("line"), false);
  expect(ahead.log).toEqual([
    ...["keep tw,re,normal", "tw,re,normal", "re,normal", "normal"],
    ...["keep normal,com", "normal,com", "pause", "keep line", ""],
  ]);
});

test("cells whose set is there, or is made at once, come before those whose set is being made", async () => {
  const lacking = new Set(["tw", "normal", "com"]);
  class Lacking extends Noting {
    override lacks({ dataset }: Pick<Wanted, "dataset">): boolean {
      return lacking.has(dataset);
    }
  }
  const { load } = sets(1000);
  const keys = new KeySets(new FakeGpu(), load, 1000, new Lacking());
  const cells = wanting("tw", "normal", "re", "random", "com", "tw");
  const order = () => keys.readyFirst(cells, (one) => one).map(({ dataset }) => dataset);
  await keys.keepOnly(cells);
  expect(order()).toEqual(["re", "random", "tw", "normal", "com", "tw"]);
  await keys.get("normal", 1, 2);
  lacking.delete("com");
  expect(order()).toEqual(["normal", "re", "random", "com", "tw", "tw"]);
  // Nothing is made while the CPU's clock times cells.
  await keys.keepOnly(cells, false);
  expect(order()).toEqual(cells.map(({ dataset }) => dataset));
});

test("sets that only later cells want are begun behind those of the cells at hand", async () => {
  const ahead = new Noting();
  const { load } = sets(1000);
  const keys = new KeySets(new FakeGpu(), load, 1000, ahead);
  keys.soon = wanting("normal", "random", "re", "normal", "com");
  await keys.keepOnly(wanting("tw", "re"));
  await keys.get("tw", 1, 2);
  await keys.keepOnly(wanting("re"));
  // Between two jobs: what is wanted next is not known.
  await keys.keepOnly([]);
  await keys.keepOnly(wanting("line"), false);
  await keys.keepOnly(wanting("line"));
  expect(ahead.log).toEqual([
    ...["keep tw,re,normal,com", "tw,re,normal,com", "re,normal,com", "keep re,normal,com", "re,normal,com"],
    ...["pause", "keep line,normal,re,com", "", "keep line,normal,re,com", "line,normal,re,com"],
  ]);
});
