// Runs in the page, for page.browser.test.ts: what a test asks of the document.

addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
});

/** Controls without an accessible name. */
function namelessControls() {
  const controls = [
    ...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary, [role=group], [role=region]"),
  ];
  /** @param {Element} element */
  const named = (element) => {
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
    const texts = [
      element.getAttribute("aria-label"),
      element.textContent,
      ...[...(labels ?? [])].map((l) => l.textContent),
    ];
    return texts.some((text) => (text ?? "").trim() !== "");
  };
  return controls.filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 100));
}

/** Ids that are there twice. */
function repeatedIds() {
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
}

/** Headings more than one level below the one before. */
function skippedLevels() {
  const headings = [...document.querySelectorAll("h1, h2, h3, h4")];
  /** @param {Element | undefined} heading */
  const level = (heading) => Number(heading?.tagName[1] ?? 0);
  return headings.filter((heading, i) => level(heading) > level(headings[i - 1]) + 1).map((h) => h.textContent);
}

/** Lines of the scorecard that the Tab key does not reach, that keys do not open as a button, or that are open at first. */
function lockedLines() {
  return [...document.querySelectorAll(".disclose")].filter((b) => {
    const pressed = b instanceof HTMLButtonElement && !b.disabled && b.tabIndex === 0;
    return !pressed || b.getAttribute("aria-expanded") !== "false";
  }).length;
}

/** Clicks the buttons of all lines that are closed. */
function clickClosed() {
  for (const button of document.querySelectorAll('.disclose[aria-expanded="false"]')) {
    if (button instanceof HTMLElement) button.click();
  }
}

/** Opened lines that give no reason. */
function reasonless() {
  return [...document.querySelectorAll(".more")].filter((more) => !more.querySelector("p")?.textContent).length;
}

/** Names of limits that lie over another one by half their height. */
function namesOverNames() {
  const names = [...document.querySelectorAll(".plot text")].filter((one) => one.textContent?.startsWith("limit"));
  return names.flatMap((one) => {
    const { left, right, top, height } = one.getBoundingClientRect();
    return names
      .filter((other) => {
        const box = other.getBoundingClientRect();
        const over = left < box.right && box.left < right && Math.abs(box.top - top) < height / 2;
        return over && other.textContent !== one.textContent;
      })
      .map((other) => `${one.textContent} over ${other.textContent}`);
  });
}

/** Texts whose colour is nearer than 4.5:1 to what is behind them. */
function faintTexts() {
  /** @param {string} color */
  const parse = (color) => {
    const [r = 0, g = 0, b = 0, a = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return { r, g, b, a };
  };
  /** @param {number} v */
  const channel = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  /** @param {{ r: number, g: number, b: number }} color */
  const luminance = ({ r, g, b }) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  /** @param {Element} element */
  const behind = (element) => {
    for (let e = /** @type {Element | null} */ (element); e; e = e.parentElement) {
      const color = parse(getComputedStyle(e).backgroundColor);
      if (color.a > 0) return color;
    }
    return { r: 255, g: 255, b: 255 };
  };
  /** @type {Set<string>} */
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, textContent: text } = walker.currentNode;
    if (!element || !text?.trim() || element.closest("script, noscript, option") || !element.checkVisibility())
      continue;
    const style = getComputedStyle(element);
    const ink = luminance(parse(element.closest("svg") ? style.fill : style.color));
    const ground = luminance(behind(element));
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5)
      faint.add(`${contrast.toFixed(2)} ${element.tagName} ${element.className} ${text.slice(0, 30)}`);
  }
  return [...faint].slice(0, 10);
}

Object.assign(globalThis, {
  inspect: {
    namelessControls,
    repeatedIds,
    skippedLevels,
    lockedLines,
    clickClosed,
    reasonless,
    faintTexts,
    namesOverNames,
  },
});
