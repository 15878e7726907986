/** As little as main.ts needs before any other module. */

/** Where a process may open fewer, a module that Node does not find is one that it could not open. */
const ENOUGH = 256;

/** Whether an error is of a limit on the process's open files. */
export function tooFewFiles(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code !== "ERR_MODULE_NOT_FOUND") return code === "EMFILE";
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return Number(userLimits?.open_files?.soft) < ENOUGH;
}
