/** Time in schedules and endings: a slow machine explores as much as a fast one. */
export function counted(): () => number {
  let count = 0;
  return () => count++;
}
