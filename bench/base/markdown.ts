/** Texts from rows and command lines inside Markdown that is read on GitHub: reports, comments on pull requests. */

/** The text on one line, in which nothing begins markup, a link or an entity, or ends a table's cell. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, " ")
      .replace(/[\\`*[\]|]|~~/g, "\\$&")
      // Between letters and digits it is no markup: names of toggles stay readable.
      .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
      .replace(/&(?=#?\w+;)/g, "&amp;")
      .replaceAll("<", "&lt;")
  );
}
