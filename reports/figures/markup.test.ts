import { expect, test } from "vitest";
import { html, raw } from "./markup.js";

test("texts are escaped, markup and lists of it are not", () => {
  const evil = `<b a="'">&`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    `<p title="&#60;b a=&#34;&#39;&#34;&#62;&#38;">&#60;b a=&#34;&#39;&#34;&#62;&#38;</p>`,
  );
  expect(html`<ul>${[1, 2].map((i) => html`<li>${i}</li>`)}${raw("<!-- -->")}</ul>`.text).toBe(
    "<ul><li>1</li><li>2</li><!-- --></ul>",
  );
});

test("nothing is shown for null, undefined and false", () => {
  expect(html`a${null}${undefined}${false}b`.text).toBe("ab");
});
