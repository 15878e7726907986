/** Every measured figure and table of the five papers, by paper. Experiments of our own may have any name. */
export const PAPER_FIGURES: Readonly<Record<string, string>> = {
  cuckoo:
    "fig4.4-insert fig4.4-retrieve misses fig4.5-build fig4.5-retrieve fig4.6-build fig4.6-retrieve fig4.7-strided " +
    "fig4.7-model restarts",
  stadium:
    "fig13 fig14a fig14b fig15 fig16a fig16b fig17a fig17b fig17c table1 fig18a fig18b fig19a fig19b fig19c fig19d",
  slab: "fig4a fig4b fig4c fig5a fig5b fig6 fig7a fig7b alloc",
  dycuckoo: "fig5 fig7 table4 fig8 fig9 fig10 fig11 fig12 fig13 fig14 fig15",
  gph: "table2 fig3 fig9 fig10 fig11a fig11b fig11c fig11d fig12a fig12b fig13a fig13b fig14 fig15a fig15b fig15c",
};

/** Their experiments' ids, such as `slab/fig4a`. */
export const paperExperimentIds: readonly string[] = Object.entries(PAPER_FIGURES).flatMap(([paper, names]) =>
  names.split(" ").map((name) => `${paper}/${name}`),
);
