/** What rows say of a device beside the toggles that Dawn has. */

/** First among the toggles of a device that has WebGPU's default limits: rows of it are of another environment. */
export const DEFAULT_LIMITS = "limits=default";

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
