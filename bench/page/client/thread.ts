/** Workers as threads of the browser. */
import type { Child } from "../../run/pool.js";
import type { Said } from "./worker.js";

export function thread(script: URL): Child {
  const worker = new Worker(script, { type: "module" });
  let listening = new AbortController();
  const leave = () => {
    listening.abort();
    listening = new AbortController();
  };
  return {
    send: (message) => worker.postMessage(message),
    listen(onMessage, onEnd) {
      leave();
      const { signal } = listening;
      const heard = ({ data }: MessageEvent<Said>) => (data.type === "gone" ? onEnd(data.why) : onMessage(data));
      worker.addEventListener("message", heard, { signal });
      worker.addEventListener("error", (event) => onEnd(event.message || "its script could not be loaded"), { signal });
    },
    leave,
    kill: () => worker.terminate(),
  };
}
