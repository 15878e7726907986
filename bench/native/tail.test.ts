import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { tail } from "./tail.js";

const heard = () => new Promise((resolve) => setImmediate(resolve));

test("the newest line that says something is told, and none from before", async () => {
  const stderr = new PassThrough();
  const first = tail(stderr);
  expect(first.line()).toBe("");
  stderr.write("one\ntwo\nWarning: limits\nstack backtrace:\nnote: some\n\n");
  await heard();
  expect(first.line()).toBe(": two");
  first.end();
  const second = tail(stderr);
  expect(second.line()).toBe("");
  stderr.write("three\n");
  await heard();
  expect([first.line(), second.line()]).toEqual([": two", ": three"]);
});

test("its end leaves no listener, and what is printed afterwards does not pile up", async () => {
  const stderr = new PassThrough();
  for (let batch = 0; batch < 20; batch++) tail(stderr).end();
  expect(stderr.listenerCount("data")).toBe(0);
  stderr.write("x".repeat(1 << 20));
  await heard();
  expect(stderr.readableLength).toBe(0);
});

test("a process without a stderr has no line", () => {
  const none = tail(null);
  none.end();
  expect(none.line()).toBe("");
});
