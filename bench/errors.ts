/** Errors that end a command: each has its exit code and one line for the user. */

/** The input was wrong. The message says what was wrong and what would be right, in one line. Exit code 2. */
export class UsageError extends Error {
  readonly exitCode = 2;
}

/** No adapter on which Dawn can run. The message says what to install. Exit code 3. */
export class NoAdapterError extends Error {
  readonly exitCode = 3;
}

/** The question asked has the answer no: a verification failed. Exit code 1. */
export class AnswerIsNo extends Error {
  readonly exitCode = 1;
}

/** A run came to its end, but some of its cells have no number. Exit code 4. */
export class CellsFailed extends Error {
  readonly exitCode = 4;
}
