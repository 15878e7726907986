/** The comment on a pull request, against a GitHub that keeps comments in an array. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  body: string;
}

const comment = z
  .custom<(tools: object) => Promise<void>>((value) => typeof value === "function")
  .parse(createRequire(import.meta.url)("./comment.cjs"));

const BOT = { login: "github-actions[bot]" };
const MARK = "<!-- hashbench: Times on h200 -->";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hashbench-comment-"));
  vi.stubEnv("TITLE", "Times on h200");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Comments on a pull request that has `earlier` ones, after a job that wrote `text` (null: none); and the job's summary. */
async function afterRun(earlier: Comment[], text: string | null, { refuses = false } = {}) {
  const file = join(folder, "comment.md");
  if (text !== null) writeFileSync(file, text);
  const comments = [...earlier];
  const issues = {
    listComments: () => comments,
    updateComment: ({ comment_id: id, body }: { comment_id: number; body: string }) => {
      const found = comments.find((one) => one.id === id);
      if (found) found.body = body;
    },
    createComment: ({ body }: { body: string }) => {
      if (refuses) throw new Error("Resource not accessible by integration");
      comments.push({ id: comments.length + 100, user: BOT, body });
    },
  };
  const github = { paginate: async (list: () => Comment[]) => list(), rest: { issues } };
  const context = { repo: { owner: "o", repo: "r" }, issue: { number: 7 }, serverUrl: "https://github.com", runId: 5 };
  const written: string[] = [];
  const warnings: string[] = [];
  const summary = {
    addRaw: (raw: string) => {
      written.push(raw);
      return { write: async () => undefined };
    },
  };
  const core = { summary, warning: (warning: string) => warnings.push(warning) };
  await comment({ github, context, core, file });
  return { comments, summary: written.join(""), warnings };
}

test("the workflow's own comment with the same title is replaced, one of another title is not", async () => {
  const { comments } = await afterRun(
    [
      { id: 1, user: BOT, body: "<!-- hashbench: Counters -->\nkept" },
      { id: 2, user: BOT, body: `${MARK}\nold` },
    ],
    "new",
  );
  expect(comments.map(({ body }) => body)).toEqual([
    "<!-- hashbench: Counters -->\nkept",
    expect.stringMatching(/^<!-- hashbench: Times on h200 -->[\s\S]*new$/),
  ]);
});

test("someone else's comment that begins with the marker is left alone", async () => {
  const body = `${MARK}\nnot by the workflow`;
  const { comments } = await afterRun(
    [
      { id: 1, user: { login: "someone" }, body },
      { id: 2, user: null, body },
    ],
    "new",
  );
  expect(comments.map(({ body }) => body)).toEqual([body, body, expect.stringContaining("new")]);
});

test("a failed shard is said above what could be compared", async () => {
  vi.stubEnv("MEASURED", "failure");
  const { comments } = await afterRun([], "3 cells, none became worse");
  expect(comments[0]?.body).toContain("A job that measures failed");
  expect(comments[0]?.body).toContain("https://github.com/o/r/actions/runs/5");
  expect(comments[0]?.body).toContain("3 cells, none became worse");
});

test("without a comparison there is a comment that says so", async () => {
  const { comments } = await afterRun([{ id: 2, user: BOT, body: `${MARK}\nold: none became worse` }], null);
  expect(comments[0]?.body).toContain("There is no comparison.");
  expect(comments[0]?.body).not.toContain("none became worse");
});

test("where the token may not comment, the summary has the text, and the job goes on", async () => {
  const { comments, summary, warnings } = await afterRun([], "text", { refuses: true });
  expect(comments).toEqual([]);
  expect(summary).toContain("text");
  expect(warnings).toEqual([expect.stringContaining("not accessible")]);
});

test("a name in a row calls nobody", async () => {
  const { comments } = await afterRun([], "| @everyone |");
  expect(comments[0]?.body).not.toContain("@everyone");
});
