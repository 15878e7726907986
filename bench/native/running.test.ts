import { expect, test } from "vitest";
import type { Manifest } from "./manifest.js";
import { type Running, rest } from "./running.js";

const ended: string[] = [];
const noted = (what: string) => () => void ended.push(what);
const one = (name: string, alive = true) =>
  ({
    program: { alive, end: noted(`${name}: program`) },
    arrays: { end: noted(`${name}: arrays`) },
    release: noted(`${name}: memory`),
  }) as unknown as Running;

test("of programs of one table whose tables are closed one waits that lives, and the others end with what they have", () => {
  const manifest = { id: "mine" } as Manifest;
  rest(manifest, one("dead", false));
  rest(manifest, one("first"));
  rest(manifest, one("second"));
  expect(ended).toEqual(
    ["dead", "second"].flatMap((name) => [`${name}: arrays`, `${name}: program`, `${name}: memory`]),
  );
});
