import { expect, test } from "vitest";
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { idleBuffer } from "../device/idle.js";
import { STATUS_WORDS } from "../device/status.js";
import type { RunSteps } from "../table.js";
import { dycuckoo } from "./dycuckoo.js";
import { megakv } from "./megakv.js";

/** Words of a pass that inserts: one pair did not get in. */
const NO_ROOM = STATUS_WORDS.map((word) => (word === "left" ? 1 : 0));

test.each([dycuckoo, megakv])("$id grows for a pair until there is no memory, and then refuses it", async (type) => {
  const ends: string[] = [];
  for (let failing = 0; failing < 30; failing++) {
    const gpu = new FakeGpu(failing);
    const run: RunSteps = async (steps) => {
      const inserts = steps.some(({ kernel }) => kernel.file.endsWith("/evict.wgsl"));
      return { ...(await gpu.time(steps)), status: Uint32Array.from(inserts ? NO_ROOM : []) };
    };
    const options = { n: 1, loadFactor: 0.8, seed: 1, params: { resize: true }, counting: false };
    const input = { keys: idleBuffer("keys", 16), values: idleBuffer("values", 16), n: 1 };
    const table = await createTable(type, gpu, options).catch(() => null);
    const inserted = await table?.insert(run, input).catch((error: unknown) => {
      // The bits of the batch: nothing has been done yet.
      if (!(error instanceof DoesNotFit)) throw error;
    });
    ends.push(inserted ? "refused" : table ? "no room for the batch" : "no table");
    if (inserted) {
      expect(inserted.count).toBe(1);
      expect(inserted.resizing?.failed).toBeGreaterThan(0);
      // The device says 0 pairs, and so the table shrinks to its least again.
      const { slots, subTables } = table?.resizable?.filling() ?? { slots: 0, subTables: [] };
      expect(slots).toBe(32 * subTables.length);
    }
    table?.destroy();
    expect(gpu.live, `allocation ${failing}`).toEqual([]);
  }
  // An allocation of the table fails, or one of the batch, or one that it grows by; of the first run none.
  expect(ends.join(", ")).toMatch(/^refused(, no table)+(, no room for the batch)+(, refused){10,}$/);
});
