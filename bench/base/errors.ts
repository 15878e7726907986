/** Errors that end a command: each has its exit code and one line for the user. */

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

/** The program of a native table ended, or said what is no reply: it is not used any more. The cell has crashed. */
export class ProgramLost extends Error {}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error && error.message !== "" ? error.message : String(error);
  } catch {
    return "something without a text was thrown";
  }
}
