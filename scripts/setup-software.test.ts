import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";

let apt: string;

beforeEach(() => {
  apt = mkdtempSync(join(tmpdir(), "hashbench-apt-"));
  mkdirSync(join(apt, "sources.list.d"));
});

afterEach(() => rmSync(apt, { recursive: true, force: true }));

/** The source line that the script would add for bookworm's backports. */
function backports(): string {
  const script = join(packageRoot, "scripts", "setup-software.sh");
  const env = { ...process.env, HASHBENCH_APT_SOURCES: apt };
  return execFileSync("bash", [script, "--print-backports", "bookworm"], { env, encoding: "utf8" }).trim();
}

function source(name: string, ...lines: string[]): void {
  writeFileSync(join(apt, name), `${lines.join("\n")}\n`);
}

describe.skipIf(process.platform !== "linux")("backports come from the mirror of the machine's own sources", () => {
  test("one-line sources", () => {
    source(
      "sources.list",
      "# deb http://commented.example/debian bookworm main",
      "deb-src http://src.example/debian bookworm main",
      "deb http://security.example/debian-security bookworm-security main",
      "deb http://mirror.example/debian bookworm main contrib",
    );
    expect(backports()).toBe("deb http://mirror.example/debian bookworm-backports main");
  });

  test("one-line sources keep their options", () => {
    source("sources.list.d/a.list", "deb [arch=amd64 signed-by=/k.gpg] https://mirror.example/debian bookworm main");
    expect(backports()).toBe("deb [arch=amd64 signed-by=/k.gpg] https://mirror.example/debian bookworm-backports main");
  });

  test("deb822 sources, with the stanza of the release itself and its key", () => {
    source(
      "sources.list.d/debian.sources",
      "Types: deb",
      "URIs: http://security.example/debian-security",
      "Suites: bookworm-security",
      "",
      "# The mirror",
      "Types: deb deb-src",
      "URIs: http://mirror.example/debian",
      "Suites:",
      " bookworm",
      " bookworm-updates",
      "Components: main",
      "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg",
    );
    expect(backports()).toBe(
      "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror.example/debian bookworm-backports main",
    );
  });

  test("deb822 stanzas that are switched off do not count, keys inside the file are left out", () => {
    source("sources.list.d/a.sources", "Enabled: no", "Types: deb", "URIs: http://off.example/d", "Suites: bookworm");
    const key = ["Signed-By:", " -----BEGIN PGP PUBLIC KEY BLOCK-----", " .", " abc"];
    source("sources.list.d/b.sources", "Types: deb", "URIs: http://on.example/d", "Suites: bookworm", ...key);
    expect(backports()).toBe("deb http://on.example/d bookworm-backports main");
  });
});
