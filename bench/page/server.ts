/** Serves the page to this machine alone. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { UsageError } from "../../kernels/device/errors.js";
import { messageOf } from "../base/errors.js";
import { POLICY } from "./policy.js";
import type { SiteFiles } from "./site.js";

export const HOST = "127.0.0.1";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".csv": "text/csv; charset=utf-8",
  ".woff2": "font/woff2",
};

const HEADERS = {
  // What a policy in the document cannot say: that no other page may show this one.
  "Content-Security-Policy": `${POLICY}; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  // Isolated pages have a finer clock.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  // Asked for again, by its ETag.
  "Cache-Control": "no-cache",
  Vary: "Accept-Encoding",
} as const;

interface Site {
  /** Files on disk; nothing outside it is served. */
  readonly folder: string;
  readonly made: SiteFiles;
}

/** Listens on 127.0.0.1. Throws a UsageError where the port cannot be had. @param port 0: any that is free */
export async function serve(site: Site, port: number): Promise<Server> {
  const root = realpathSync(site.folder);
  const server = createServer((request, response) => void answer({ ...site, folder: root }, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new UsageError(`--port ${port}: ${messageOf(error)}`)));
    server.listen(port, HOST, resolve);
  });
  return server;
}

async function answer(site: Site, { method, url = "/", headers }: IncomingMessage, response: ServerResponse) {
  const end = (status: number, type: string, body: string | Buffer, more: Readonly<Record<string, string>> = {}) => {
    const length = Buffer.byteLength(body);
    response.writeHead(status, { ...HEADERS, "Content-Type": type, "Content-Length": length, ...more });
    response.end(method === "HEAD" ? undefined : body);
  };
  const refuse = (status: number, why: string) => end(status, "text/plain; charset=utf-8", `${why}\n`);
  // A name of somebody else's that leads to this machine would make the page that page's own.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? "")) return refuse(403, "not this host");
  if (method !== "GET" && method !== "HEAD") return refuse(405, "only GET and HEAD");
  const path = pathOf(url);
  const found = path === null ? null : await content(site, path);
  if (path === null || found === null) return refuse(404, "not found");
  const packed = extname(path) !== ".woff2" && /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  const etag = `"${createHash("sha256").update(found).digest("base64url")}${packed ? "-gzip" : ""}"`;
  const type = TYPES[extname(path)] ?? "application/octet-stream";
  if (headers["if-none-match"] === etag) {
    response.writeHead(304, { ...HEADERS, ETag: etag }).end();
    return;
  }
  end(200, type, packed ? gzipSync(found) : found, { ETag: etag, ...(packed && { "Content-Encoding": "gzip" }) });
}

/** The path that an address asks for, without the slash in front; null if it is none. */
function pathOf(url: string): string | null {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*$/s, "")).replace(/^\/+/, "");
    return path === "" ? "index.html" : path;
  } catch {
    return null;
  }
}

/** What is at the path; null if there is nothing, or it lies outside the folder, by links too. */
async function content({ folder, made }: Site, path: string): Promise<string | Buffer | null> {
  const text = made.get(path);
  if (text) return text();
  try {
    const file = realpathSync(join(folder, path));
    return file.startsWith(folder + sep) ? await readFile(file) : null;
  } catch {
    return null;
  }
}
