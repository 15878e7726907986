/** Where a page has the files of a plug-in. */

/** The texts of its kernels. @param folder such as `plugin/mine` */
export function kernelsFile(folder: string): string {
  return `${folder}/kernels.json`;
}
