/** The page's worker: owns the GPU's device and measures cells. The page ends it where it hangs. */

import { answering } from "../../run/messages.js";
import type { FromWorker, ToWorker } from "../../run/protocol.js";
import { openBrowser } from "./device.js";
import { loadPlugins } from "./plugins.js";

/** What the worker says: a message of the protocol, or why there will be none any more. */
export type Said = FromWorker | { readonly type: "gone"; readonly why: string };

const say = (said: Said): void => postMessage(said);
const take = answering({
  say,
  async open({ open }) {
    await loadPlugins(true);
    return openBrowser(open);
  },
  lost: (why) => say({ type: "gone", why }),
});
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void take(data));
// What nobody awaits ends a process of Node, too.
addEventListener("unhandledrejection", ({ reason }) => say({ type: "gone", why: String(reason) }));
