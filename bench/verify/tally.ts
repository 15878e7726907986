/** How many operations tables have run, of which every answer was compared. */
import { AsyncLocalStorage } from "node:async_hooks";

const tallies = new AsyncLocalStorage<{ operations: number }>();
let all = 0;

/** Notes operations that a table has run. */
export function ran(operations: number): void {
  all += operations;
  const tally = tallies.getStore();
  if (tally) tally.operations += operations;
}

/** Of this process. */
export function allOperations(): number {
  return all;
}

/** Does work, beside which others may be done; the operations that tables have run in it. */
export async function operationsOf(work: () => Promise<void>): Promise<number> {
  const tally = { operations: 0 };
  await tallies.run(tally, work);
  return tally.operations;
}
