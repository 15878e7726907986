/** The papers whose experiments are reproduced, and the groups of experiments of our own: the one list of them. */
import type { Experiment } from "../base/experiment.js";

/** A folder of `bench/experiments`. */
interface Group {
  /** Its experiments' ids begin with it. */
  readonly id: string;
  /** In captions. */
  readonly name: string;
  /** The experiment that the tour measures, without the group's id. */
  readonly headline?: string;
}

interface Paper extends Group {
  readonly authors: string;
  readonly title: string;
  readonly venue: string;
  /** What it was measured on, with the memory bandwidth in GB/s by the manufacturer's specification. */
  readonly devices: Readonly<Record<string, number>>;
}

const OWN_GROUPS = [
  { id: "device", name: "hashbench: the device", headline: "limits" },
  { id: "tables", name: "hashbench: all tables" },
  { id: "limit", name: "hashbench: tables and the limit" },
  { id: "aging", name: "hashbench: tables in long use" },
  { id: "work", name: "hashbench: what tables are used for" },
] as const satisfies readonly Group[];

const PAPERS = [
  {
    id: "cuckoo",
    name: "Alcantara et al., GPU Computing Gems 2011",
    authors: "Alcantara et al.",
    title: "Building an Efficient Hash Table on the GPU",
    venue: "GPU Computing Gems 2011",
    devices: { "GTX 470": 133.9, "GTX 480": 177.4 },
    headline: "fig4.4-retrieve",
  },
  {
    id: "stadium",
    name: "Stadium Hashing, PACT 2015",
    authors: "Khorasani et al.",
    title: "Stadium Hashing: Scalable and Flexible Hashing on GPUs",
    venue: "PACT 2015",
    devices: { "GTX 780": 288.4 },
    headline: "table1",
  },
  {
    id: "slab",
    name: "Slab Hash, IPDPS 2018",
    authors: "Ashkiani et al.",
    title: "A Dynamic Hash Table for the GPU",
    venue: "IPDPS 2018",
    devices: { "Tesla K40c": 288 },
    headline: "fig4c",
  },
  {
    id: "dycuckoo",
    name: "DyCuckoo, Dynamic Hash Tables on GPUs",
    authors: "Li et al.",
    title: "Dynamic Hash Tables on GPUs",
    venue: "manuscript (as DyCuckoo: ICDE 2021)",
    devices: { "Tesla P100": 732 },
    headline: "fig12",
  },
  {
    id: "gph",
    name: "GPH, SIGMOD 2025",
    authors: "Cao et al.",
    title: "GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures",
    venue: "SIGMOD 2025",
    devices: { "Tesla V100S": 1134 },
    headline: "fig10",
  },
] as const satisfies readonly Paper[];

export const papers: readonly (Paper & { readonly id: PaperId })[] = PAPERS;

const all: Group[] = [...OWN_GROUPS, ...PAPERS];

/** In the order in which experiments are listed: our own, then the papers by age, then those of plug-ins. */
export const groups: readonly Group[] = all;

/** Makes the group of a plug-in's experiment known, by its id alone. */
export function addGroup(id: string): void {
  if (!all.some((group) => group.id === id)) all.push({ id, name: id });
}

export type PaperId = (typeof PAPERS)[number]["id"];

/** The name of a paper or group for captions. */
export function groupName(id: string): string {
  return groups.find((group) => group.id === id)?.name ?? id;
}

/** The paper or group of an experiment: `gph` of `gph/fig10`. */
export function paperOf(experiment: string): string {
  return experiment.split("/", 1)[0] ?? "";
}

/** Whether the experiment is one of a paper's figures or tables, not of a group of our own or of a plug-in. */
export function isPapers(experiment: string): boolean {
  return papers.some(({ id }) => id === paperOf(experiment));
}

/** The paper's name of a figure or table: `Fig. 10` of `gph/fig10`; "" of what is none. */
export function figureName({ id, source }: Experiment): string {
  const [, kind, number] = /\/(fig|table)(\d[\d.]*[a-z]?)/.exec(id) ?? [];
  return source?.figure ?? (number === undefined ? "" : `${kind === "fig" ? "Fig." : "Table"} ${number}`);
}

/** Paper, figure and section that an experiment is from, as far as it has them. */
export function sourceOf(experiment: Experiment): string[] {
  const { id, source } = experiment;
  const parts = [
    groupName(paperOf(id)),
    figureName(experiment),
    source?.section === undefined ? "" : `section ${source.section}`,
  ];
  return parts.filter((part) => part !== "");
}

/** What `run` without an id measures: the device, and one figure of each paper. */
export const TOUR: readonly string[] = groups.flatMap(({ id, headline }) => (headline ? [`${id}/${headline}`] : []));

type Keys<Each> = Each extends unknown ? keyof Each : never;

export type PaperDevice = Keys<(typeof PAPERS)[number]["devices"]>;

/** Memory bandwidth of the papers' devices, GB/s. */
const paperDevices = Object.assign({}, ...papers.map(({ devices }) => devices)) as Readonly<
  Record<PaperDevice, number>
>;

export function isPaperDevice(name: string | undefined): name is PaperDevice {
  return name !== undefined && Object.hasOwn(paperDevices, name);
}

/** What numbers of a device may wait for. */
export type Resource = "copy bandwidth" | "random updates" | "random reads";

/** M/s that the chapter measured without locality (Alcantara et al., 4.5.3), of updates and of accesses. */
const MEASURED = { device: "GTX 480", "random updates": 670, "random reads": 1300 } as const;
/** Devices of the same generation and memory, taken in proportion to its bandwidth. */
const LIKE_MEASURED: readonly PaperDevice[] = ["GTX 480", "GTX 470"];

/** What a paper's device does: GB/s of bandwidth, M/s of random accesses, and how it is known; null where no paper measured it. */
export function paperRate(device: PaperDevice, resource: Resource): { rate: number; as: string } | null {
  if (resource === "copy bandwidth")
    return { rate: paperDevices[device], as: "GB/s there by its specification, which a copy does not reach" };
  if (!LIKE_MEASURED.includes(device)) return null;
  const { device: measuredOn, [resource]: measured } = MEASURED;
  const as = measuredOn === device ? "M/s there" : `M/s there, those of a ${measuredOn} by both specified bandwidths`;
  return { rate: (measured * paperDevices[device]) / paperDevices[measuredOn], as };
}
