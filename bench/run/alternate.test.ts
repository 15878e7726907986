import { expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { alternate } from "./alternate.js";
import { NO_PROGRESS } from "./progress.js";
import type { RunOptions } from "./run.js";

test("a browser that is not there is told before any of several begins", async () => {
  vi.stubEnv("HASHBENCH_FIREFOX", "/nowhere/firefox");
  const out = vi.fn();
  const both = alternate({ out } as unknown as RunOptions, ["dawn", "firefox"], NO_PROGRESS);
  await expect(both).rejects.toThrow(new UsageError("HASHBENCH_FIREFOX=/nowhere/firefox: no such file"));
  expect(out).not.toHaveBeenCalled();
});
