import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { HOST, serve } from "./server.js";
import { pageHtml } from "./site.js";

const outside = mkdtempSync(join(tmpdir(), "hashbench-server-"));
const folder = join(outside, "page");
mkdirSync(folder);
writeFileSync(join(outside, "secret.txt"), "secret");
writeFileSync(join(folder, "index.html"), "the page");
symlinkSync(join(outside, "secret.txt"), join(folder, "link.txt"));
// Its name begins with the folder's.
mkdirSync(join(outside, "pages"));
writeFileSync(join(outside, "pages", "secret.txt"), "secret");
const server = await serve({ folder, made: new Map([["published/index.json", () => "{}"]]) }, 0);
const { port, address } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  rmSync(outside, { recursive: true });
});

/** As it is: no client of ours takes dots out of the path. */
function ask(path: string, { method = "GET", host = `localhost:${port}`, to = HOST, more = {} } = {}) {
  return new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const asked = request({ host: to, port, path, method, headers: { host, ...more } }, (response) => {
      let body = "";
      response.setEncoding("latin1").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    asked.on("error", reject).end();
  });
}

test("it listens on the loopback alone", async () => {
  expect(address).toBe("127.0.0.1");
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const other = others.find(({ internal, family }) => !internal && family === "IPv4");
  if (other) await expect(ask("/", { to: other.address })).rejects.toThrow("ECONNREFUSED");
});

test("the page and what is made for it are served, and nothing else of any name or method", async () => {
  expect(await ask("/")).toMatchObject({ status: 200, body: "the page" });
  expect(await ask("/index.html?x#y")).toMatchObject({ status: 200, body: "the page" });
  expect(await ask("/published/index.json")).toMatchObject({ status: 200, body: "{}" });
  expect(await ask("/", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  expect(await ask("/", { method: "POST" })).toMatchObject({ status: 405 });
  expect(await ask("/other.html")).toMatchObject({ status: 404 });
  // A name that somebody else lets lead here.
  for (const host of ["example.com", "localhost.example.com", "localhost:1.example.com"])
    expect(await ask("/", { host }), host).toMatchObject({ status: 403 });
});

test("an answer is packed for those who ask for it, and not sent again to those who have it", async () => {
  const plain = await ask("/index.html");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  const packed = await ask("/index.html", { more: { "Accept-Encoding": "br, gzip" } });
  expect(packed).toMatchObject({ status: 200, headers: { "content-encoding": "gzip", vary: "Accept-Encoding" } });
  expect(gunzipSync(Buffer.from(packed.body, "latin1")).toString()).toBe("the page");
  const { etag } = packed.headers;
  expect(etag).not.toBe(plain.headers.etag);
  const again = { "Accept-Encoding": "gzip", "If-None-Match": etag };
  expect(await ask("/index.html", { more: again })).toMatchObject({ status: 304, body: "", headers: { etag } });
  writeFileSync(join(folder, "index.html"), "the next page");
  expect(await ask("/index.html", { more: again })).toMatchObject({ status: 200 });
  writeFileSync(join(folder, "index.html"), "the page");
});

test("no path leads out of the folder", async () => {
  const ways = [
    ...["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/x/../../secret.txt"],
    ...["//secret.txt", `/${encodeURIComponent(join(outside, "secret.txt"))}`, "/..\\secret.txt", "/link.txt"],
    ...["/../pages/secret.txt", "/%2e%2e/pages/secret.txt"],
    ...["/.", "/..", "/%00", "/index.html%00.txt", "/%ff", "/%"],
  ];
  for (const way of ways) expect(await ask(way), way).toMatchObject({ status: 404, body: "not found\n" });
});

test("every answer has a policy that runs no text, in the header and in the document", async () => {
  const { headers } = await ask("/");
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(policy).not.toMatch(/unsafe|https?:|\*|blob:/);
  expect((await ask("/nothing")).headers["content-security-policy"]).toBe(policy);
  const document = /Content-Security-Policy" content="([^"]*)"/.exec(pageHtml())?.[1];
  expect(policy).toBe(`${document}; frame-ancestors 'none'`);
});

test("a port that is taken is one line", async () => {
  await expect(serve({ folder, made: new Map() }, port)).rejects.toThrow(`--port ${port}: `);
});
