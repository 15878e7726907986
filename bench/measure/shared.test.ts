import { expect, test } from "vitest";
import { DoesNotFit } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import { Owner } from "../../kernels/device/owned.js";
import { Shared } from "./shared.js";

const gpu = new FakeGpu();
const make = async (own: Owner) => ({ buffer: await own.alloc("table", 64) });

test("what is shared is made once, and freed with the last that has it", async () => {
  const shared = new Shared(gpu);
  const users = [new Owner(gpu), new Owner(gpu), new Owner(gpu)];
  const made = await Promise.all(users.map((user) => shared.get(user, "a", make)));
  expect(new Set(made).size).toBe(1);
  expect(gpu.live).toHaveLength(1);
  await shared.get(users[0] as Owner, "b", make);
  expect(gpu.live).toHaveLength(2);
  users[0]?.destroy();
  users[1]?.destroy();
  expect(gpu.live).toHaveLength(1);
  expect(await shared.get(users[1] as Owner, "a", make)).toBe(made[0]);
  users[2]?.destroy();
  users[1]?.destroy();
  expect(gpu.live).toEqual([]);
  const later = new Owner(gpu);
  expect(await shared.get(later, "a", make)).not.toBe(made[0]);
  later.destroy();
  expect(gpu.live).toEqual([]);
});

test("what could not be made is tried anew, and leaves nothing", async () => {
  const full = new FakeGpu(2);
  const shared = new Shared(full);
  const two = async (own: Owner) => ({ a: await own.alloc("a", 16), b: await own.alloc("b", 16) });
  const users = [new Owner(full), new Owner(full)];
  const tried = await Promise.allSettled(users.map((user) => shared.get(user, "x", two)));
  expect(tried.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(tried[0]).toMatchObject({ reason: expect.any(DoesNotFit) });
  for (const user of users) user.destroy();
  expect(full.live).toEqual([]);
  const again = new Owner(full);
  await shared.get(again, "x", two);
  expect(full.live).toHaveLength(2);
  again.destroy();
  expect(full.live).toEqual([]);
});

test("who ends before it is made leaves it to the others, or to nobody", async () => {
  const shared = new Shared(gpu);
  const [gone, stays] = [new Owner(gpu), new Owner(gpu)];
  const waiting = [shared.get(gone, "a", make), shared.get(stays, "a", make)];
  gone.destroy();
  await Promise.all(waiting);
  expect(gpu.live).toHaveLength(1);
  stays.destroy();
  expect(gpu.live).toEqual([]);
  const alone = new Owner(gpu);
  const nobody = shared.get(alone, "a", make);
  alone.destroy();
  await nobody;
  expect(gpu.live).toEqual([]);
});
