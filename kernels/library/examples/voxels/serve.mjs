/**
 * Serves the page and the library that it imports, on this machine only.
 *
 *     node kernels/library/examples/voxels/serve.mjs
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..", "..");
const PAGE = "/examples/voxels/";
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript" };
/** Paths without dots but those of an ending. */
const SERVED = /^\/(?:examples\/voxels|dist)\/(?:[\w-]+\/)*[\w-]+(?:\.wgsl)?\.\w+$/;

/** The address of the page, and what ends the server. @returns {Promise<{ url: string, close(): void }>} */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const path = request.url === PAGE ? `${PAGE}index.html` : (request.url ?? "");
    const type = TYPES[extname(path)];
    const content = type && SERVED.test(path) ? await readFile(join(root, path)).catch(() => null) : null;
    response.writeHead(content ? 200 : 404, content ? { "content-type": type } : {}).end(content ?? "");
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}${PAGE}`, close: () => server.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log((await serve()).url);
