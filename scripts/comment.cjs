// Writes a file as a comment of the pull request, in place of the one that an earlier run with the same TITLE wrote; and
// into the job's summary, which is all there is where a fork's token may not comment.
const { readFileSync } = require("node:fs");

/** @param {{ github: any, context: any, core: any, file: string }} tools of actions/github-script */
module.exports = async ({ github, context, core, file }) => {
  const title = process.env.TITLE ?? "hashbench";
  const mark = `<!-- hashbench: ${title} -->`;
  const body = `${mark}\n## ${title}\n\n${readFileSync(file, "utf8")}`;
  await core.summary.addRaw(body).write();
  const { number } = context.issue;
  if (!number) return;
  const { owner, repo } = context.repo;
  try {
    const comments = await github.paginate(github.rest.issues.listComments, { owner, repo, issue_number: number });
    const earlier = comments.find((comment) => comment.body?.startsWith(mark));
    if (earlier) await github.rest.issues.updateComment({ owner, repo, comment_id: earlier.id, body });
    else await github.rest.issues.createComment({ owner, repo, issue_number: number, body });
  } catch (error) {
    core.warning(`no comment: ${error.message}`);
  }
};
