/** Columns of text for a terminal, two spaces between them; columns of numbers are set to the right. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const numeric = head.map((_, i) => rows.every((row) => /^[−-]?[\d.,]*( %)?$/.test(row[i] ?? "")));
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [head, ...rows].map(line).join("\n");
}
