/** Which code the tables of plug-ins were made by: known where plug-ins are loaded, asked for where a run is described. */

const versions = new Map<string, string>();

/** `version`: a hash of the plug-in's module and kernels. */
export function noteVersion(table: string, version: string): void {
  versions.set(table, version);
}

/** The versions of those of the tables that come from plug-ins, by table. */
export function versionsOf(tables: readonly string[]): Record<string, string> {
  return Object.fromEntries([...versions].filter(([table]) => tables.includes(table)));
}
