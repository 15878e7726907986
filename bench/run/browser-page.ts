/** The page that a browser of ours shows: a server on this machine alone has it, and carries messages to its worker and back. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { packageRoot } from "../base/paths.js";
import type { FromWorker, ToWorker } from "./protocol.js";

const HOST = "127.0.0.1";
const FOLDER = join(packageRoot, "dist", "page");

/** The page closes where this process is gone. */
const DOCUMENT = `<!doctype html><title>hashbench</title>
<p>hashbench measures in this window, and closes it at the end. Keep it in front.</p>
<script type="module">
const told = [];
let telling = false;
const tell = async (message) => {
  told.push(message);
  if (telling) return;
  telling = true;
  while (told.length > 0) await fetch("tell", { method: "POST", body: JSON.stringify(told.splice(0)) }).catch(close);
  telling = false;
};
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = ({ data }) => tell(data);
worker.onerror = ({ message }) => tell({ type: "gone", why: message || "its script could not be loaded" });
const heard = new EventSource("hear");
heard.onmessage = ({ data }) => worker.postMessage(JSON.parse(data));
heard.onerror = () => close();
</script>`;

const HEADERS = {
  // Isolated pages have a finer clock.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
} as const;

/** A message of the worker, or why there will be none any more. */
type Said = FromWorker | { readonly type: "gone"; readonly why: string };

export class BrowserPage {
  private readonly waiting: ToWorker[] = [];
  private hears: ServerResponse | null = null;
  /** What other programs of this machine do not know. */
  private readonly secret = randomUUID();
  private readonly server = createServer(async (request, response) => {
    const { method, url = "" } = request;
    const name = url.startsWith(`/${this.secret}/`) ? url.slice(this.secret.length + 2) : null;
    const end = (type: string, body: string | Buffer) =>
      response.writeHead(200, { ...HEADERS, "Content-Type": type }).end(body);
    if (name === "") end("text/html", DOCUMENT);
    else if (name === "hear") this.open(response);
    else if (name === "tell" && method === "POST") {
      for (const said of JSON.parse(await text(request)) as Said[]) this.said(said);
      end("text/plain", "");
    } else if (name?.endsWith(".js") && existsSync(join(FOLDER, basename(name))))
      end("text/javascript", readFileSync(join(FOLDER, basename(name))));
    else response.writeHead(404).end();
  });

  constructor(
    private readonly said: (said: Said) => void,
    private readonly closed: () => void,
  ) {}

  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => this.server.once("error", reject).listen(0, HOST, resolve));
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}/${this.secret}/`;
  }

  /** Tells the worker, as soon as there is one. */
  tell(message: ToWorker): void {
    if (this.hears) this.hears.write(`data: ${JSON.stringify(message)}\n\n`);
    else this.waiting.push(message);
  }

  end(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private open(response: ServerResponse): void {
    this.hears = response.writeHead(200, { ...HEADERS, "Content-Type": "text/event-stream" });
    response.on("close", this.closed);
    for (const message of this.waiting.splice(0)) this.tell(message);
  }
}
