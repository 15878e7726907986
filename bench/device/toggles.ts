/** What rows say of a device beside the toggles that Dawn has. */

/** What a device is opened without, although its adapter has it. */
export interface Less {
  /** With the limits that WebGPU guarantees everywhere, where the adapter has larger ones. Default: the adapter's. */
  readonly defaultLimits?: boolean | undefined;
  /** False: without subgroups. Default: with them where the adapter has them. */
  readonly subgroups?: boolean | undefined;
}

/**
 * First among the toggles of such a device: rows of it are of another environment.
 * @param adapter an adapter without subgroups has none to leave out
 */
export function lessToggles({ defaultLimits = false, subgroups = true }: Less, adapter: GPUAdapter): string[] {
  const off = !subgroups && adapter.features.has("subgroups");
  return [...(defaultLimits ? ["limits=default"] : []), ...(off ? ["subgroups=off"] : [])];
}

/**
 * Among the first toggles of a device whose process has the layer of buffer-memory/ loaded: Dawn does not know it, but rows with and
 * without it are of different environments. It is named for the first of the two things that the layer does, as in kept rows.
 */
const LAYER = "+large_pages";

/** That toggle, for the layer's threshold where the environment sets one. */
export const layerToggle = (from = ""): string => (from === "" ? LAYER : `${LAYER}=${from}`);

/** Whether the device of these toggles has the layer: large pages, and host memory. */
export function hasLayer(toggles: string): boolean {
  return toggles.split(" ").some((one) => one.split("=")[0] === LAYER);
}
