// Writes a file as a comment of the pull request, in place of the one that an earlier run with the same TITLE wrote; and
// into the job's summary, which is all there is where a fork's token may not comment. MEASURED is the result of the jobs
// that measured: what they could not measure is said, and a comment is written without the file too.
const { existsSync, readFileSync } = require("node:fs");

/** Whom GitHub names as the author of what a workflow's own token writes; nobody can register such a name. */
const AUTHOR = "github-actions[bot]";

/** Where a text has an @, nobody is called: names of tables come from the pull request. */
const withoutMentions = (text) => text.replace(/@(?=\w)/g, "@\u200b");

/** @param {{ github: any, context: any, core: any, file: string }} tools of actions/github-script */
module.exports = async ({ github, context, core, file }) => {
  const { TITLE: title = "hashbench", MEASURED: measured = "success" } = process.env;
  const { owner, repo } = context.repo;
  const mark = `<!-- hashbench: ${title} -->`;
  const parts = [mark, `## ${title}`];
  if (measured !== "success" || !existsSync(file)) {
    const what = measured === "success" ? "The comparison" : "A job that measures";
    const log = `[log](${context.serverUrl}/${owner}/${repo}/actions/runs/${context.runId})`;
    parts.push(`⚠️ ${what} failed: what is missing below was not compared (${log}).`);
  }
  if (existsSync(file)) parts.push(withoutMentions(readFileSync(file, "utf8")));
  else parts.push("There is no comparison.");
  const body = parts.join("\n\n");
  await core.summary.addRaw(body).write();
  const { number } = context.issue;
  if (!number) return;
  try {
    const comments = await github.paginate(github.rest.issues.listComments, { owner, repo, issue_number: number });
    const earlier = comments.find((comment) => comment.user?.login === AUTHOR && comment.body?.startsWith(mark));
    if (earlier) await github.rest.issues.updateComment({ owner, repo, comment_id: earlier.id, body });
    else await github.rest.issues.createComment({ owner, repo, issue_number: number, body });
  } catch (error) {
    core.warning(`no comment: ${error.message}`);
  }
};
