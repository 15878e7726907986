// Makes figures live when they come near: values at the pointer, series on and off, linear and log axes.
{
  /** As figure.ts has it. @typedef {{ columns: number, panel: number, left: number, upright: number }} Layout */
  /** @typedef {{ heading: string, caption: string, values: string, specs: Record<string, any>, datasets: Record<string, Record<string, Record<string, unknown[]>>> }} PlotContent */

  /** Shows vega's tooltip, for one mark at a time. */
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  addEventListener(
    "scroll",
    () => {
      tip.hidden = true;
    },
    { passive: true },
  );

  /** @param {unknown} value */
  const shown = (value) => {
    if (typeof value !== "number") return String(value);
    const rounded = Math.abs(value) >= 1e5 ? value : Number(value.toPrecision(5));
    return rounded.toLocaleString("en-US", { maximumFractionDigits: 9 });
  };

  /** @param {unknown} _ @param {MouseEvent} event @param {unknown} __ @param {unknown} value */
  function tooltip(_, event, __, value) {
    tip.hidden = value === null || typeof value !== "object";
    if (value === null || typeof value !== "object") return;
    const entries = Object.entries(value).filter(([, v]) => v !== null && v !== "" && v !== undefined);
    const title = document.createElement("strong");
    title.textContent = String(entries.find(([name]) => name === "series")?.[1] ?? "");
    const list = document.createElement("dl");
    for (const [name, v] of entries) {
      if (name === "series") continue;
      const term = document.createElement("dt");
      const text = document.createElement("dd");
      term.textContent = name;
      text.textContent = shown(v);
      list.append(term, text);
    }
    tip.replaceChildren(title, list);
    const { width, height } = tip.getBoundingClientRect();
    const left = event.clientX + 14 + width > innerWidth ? event.clientX - 14 - width : event.clientX + 14;
    const top = event.clientY + 14 + height > innerHeight ? event.clientY - 14 - height : event.clientY + 14;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  }

  /** Rows of a data set that is packed by column. @param {Record<string, unknown[]>} columns */
  const rowsOf = (columns) => {
    const all = Object.entries(columns);
    const count = all[0]?.[1].length ?? 0;
    return Array.from({ length: count }, (_, i) => Object.fromEntries(all.map(([name, values]) => [name, values[i]])));
  };

  /** Between panels, as figure.ts has it. */
  const SPACING = 22;
  /** No panel is narrower where there is more than one. */
  const NARROWEST = 210;
  /** Widths differ by this many pixels, so that not each pixel draws anew. */
  const STEP = 10;

  /** How many panels stand side by side in this width, and how wide each is. @param {Layout} layout @param {number} width */
  function fitting({ columns: most, panel, left }, width) {
    const room = width - left;
    const columns = Math.max(1, Math.min(most, Math.floor((room + SPACING) / (NARROWEST + SPACING))));
    const own = Math.floor(((room + SPACING) / columns - SPACING) / STEP) * STEP;
    return { columns, panel: Math.max(100, Math.min(panel, own)) };
  }

  /**
   * The figure with panels of this width, `columns` of them side by side. Names keep their places in them.
   * @param {any} spec @param {{ columns: number, panel: number }} size
   */
  function resized(spec, { columns, panel: width }) {
    const made = structuredClone(spec);
    const { panel, upright, axes } = made.usermeta.layout;
    const [body] = made.vconcat;
    if (!body.concat) return made;
    body.columns = columns;
    body.concat.forEach((/** @type {any} */ one, /** @type {number} */ i) => {
      one.width = width;
      const { x: xTitle, y: yTitle, own } = axes[i];
      const labelled = own || i % columns === 0;
      Object.assign(one.encoding.y.axis, {
        title: labelled ? yTitle : null,
        labels: labelled,
        ticks: labelled,
        domain: labelled,
      });
      /** Where names are, by text and the place that they had. @type {Map<string, { x: number, y: number, wide: number, high: number }>} */
      const placed = new Map();
      for (const { data, encoding } of one.layer) {
        const { x } = encoding;
        if (x.axis) x.axis.title = i + columns >= body.concat.length ? xTitle : null;
        if (x.axis && width < upright)
          Object.assign(x.axis, { labelAngle: -35, labelAlign: "right", labelBaseline: "middle" });
        // Ticks are chosen for the width of pictures.
        if (x.axis && x.type === "quantitative" && width < panel) x.axis.labelOverlap = "greedy";
        for (const name of data?.values ?? []) {
          if (name.text === undefined) continue;
          name.x *= width / panel;
          if (name.align !== "left") continue;
          const room = width - 8;
          const wide = vega.textMetrics.width({ fontSize: name.size }, name.text);
          // A name as wide as the panel is written smaller.
          name.size *= Math.min(1, room / wide);
          const x = Math.max(4, Math.min(name.x, 4 + room - wide));
          // Each is there twice, as its halo and as itself. One that would lie over another comes below it.
          const key = `${name.text} ${name.x} ${name.y}`;
          const box = placed.get(key) ?? { x, y: name.y, wide: Math.min(wide, room), high: name.size + 1 };
          const over = () =>
            [...placed.values()].find(
              (other) =>
                other !== box &&
                x < other.x + other.wide &&
                other.x < x + box.wide &&
                Math.abs(other.y - box.y) < 0.7 * other.high,
            );
          if (!placed.has(key)) for (let other = over(); other; other = over()) box.y = other.y + other.high;
          placed.set(key, box);
          Object.assign(name, { x, y: box.y });
        }
      }
    });
    return made;
  }

  /** The plot of one device, in its box. */
  class Plot {
    /** @param {HTMLElement} box @param {() => Promise<PlotContent>} content */
    constructor(box, content) {
      this.box = box;
      this.content = content;
      this.place = document.createElement("div");
      this.place.className = "plot";
      this.scale = box.dataset.scale ?? "linear";
      /** @type {string[]} */
      this.hidden = [];
      /** By scale. @type {Record<string, any>} */
      this.specs = {};
      /** By scale. @type {Record<string, object>} */
      this.datasets = {};
      /** Scale and size of what is drawn. */
      this.drawn = "";
      /** @type {VegaView | undefined} */
      this.view = undefined;
    }

    /** Unpacks texts and specifications, and draws. */
    async start() {
      const { heading, caption, values, specs, datasets } = await this.content();
      this.specs = specs;
      for (const [scale, sets] of Object.entries(datasets)) {
        const rows = Object.entries(sets).map(([name, columns]) => [name, rowsOf(columns)]);
        this.datasets[scale] = Object.fromEntries(rows);
      }
      const details = values && `<details class="values"><summary>Values</summary></details>`;
      this.box.innerHTML = `<div>${heading}</div><figure><figcaption>${caption}</figcaption></figure><div>${details}</div>`;
      this.box.querySelector("figure")?.prepend(this.place);
      const opened = this.box.querySelector(".values");
      opened?.addEventListener("toggle", () => opened.insertAdjacentHTML("beforeend", values), { once: true });
      // A table of the paper is opened as a table here.
      if (opened instanceof HTMLDetailsElement) opened.open = this.box.closest("[data-opened]") !== null;
      // Vega measures texts in the page's font.
      await Promise.all([
        packed.loadVega(),
        ...["11px Arimo", "bold 12px Arimo"].map((font) => document.fonts.load(font)),
      ]);
      await this.update();
      this.box.style.minHeight = "";
      new ResizeObserver(() => this.update()).observe(this.place);
    }

    async update() {
      const own = this.specs[this.scale] ?? Object.values(this.specs)[0];
      if (!own || this.box.hidden) return;
      const size = fitting(own.usermeta.layout, this.place.clientWidth);
      const drawn = `${this.scale} ${size.columns} ${size.panel}`;
      if (drawn === this.drawn) {
        await this.view?.signal("hidden", this.hidden).runAsync();
        return;
      }
      this.drawn = drawn;
      const live = document.createElement("div");
      const { spec } = vegaLite.compile({
        ...resized(own, size),
        datasets: this.datasets[this.scale] ?? Object.values(this.datasets)[0],
      });
      const parsed = vega.parse(spec, {}, { ast: true });
      const options = { expr: vegaInterpreter, renderer: "svg", container: live, hover: true, tooltip };
      const view = new vega.View(parsed, options);
      view.signal("hidden", this.hidden);
      view.addEventListener("click", (_, item) => {
        const series = item?.datum?.series ?? null;
        view.signal("pick", series === view.signal("pick") ? null : series).runAsync();
      });
      await view.runAsync();
      if (drawn !== this.drawn) return view.finalize(); // Another one was chosen meanwhile.
      this.view?.finalize();
      this.view = view;
      this.place.replaceChildren(live);
      this.place.dataset.scale = this.scale;
      this.place.dataset.live = "";
    }
  }

  /** Labels of the devices by slug. @type {Map<string, string>} */
  const labels = new Map();
  for (const box of document.querySelectorAll("#filters input[name=device]"))
    labels.set(box.getAttribute("value") ?? "", (box.parentElement?.textContent ?? "").trim());
  /** Labels of devices that are not shown. @type {string[]} */
  let unwanted = [];
  /** By figure. @type {Map<Element, () => void>} */
  const refresh = new Map();

  /** @param {unknown} error */
  const report = (error) => console.error(error);

  for (const figure of document.querySelectorAll(".figure")) {
    /** @type {Map<Element, Plot>} */
    const plots = new Map();
    /** Contents of all its plots. @type {ReturnType<typeof packed.unpack> | undefined} */
    let contents;
    for (const [i, box] of figure.querySelectorAll(".device").entries()) {
      const content = async () => {
        contents ??= packed.unpack(figure.querySelector(".plots > script"));
        const all = /** @type {PlotContent[]} */ (await contents);
        return /** @type {PlotContent} */ (all[i]);
      };
      if (box instanceof HTMLElement) plots.set(box, new Plot(box, content));
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue;
          observer.unobserve(target);
          plots.get(target)?.start().catch(report);
        }
      },
      { rootMargin: "400px" },
    );
    for (const box of plots.keys()) observer.observe(box);

    const boxes = [...figure.querySelectorAll("input[data-series]")].filter((box) => box instanceof HTMLInputElement);
    // Together, the series of every device has the device's name after its own.
    const hide = () => {
      const all = boxes.map((b) => b.dataset.series ?? "");
      const off = boxes.filter((b) => !b.checked).map((b) => b.dataset.series ?? "");
      const together = [
        ...off.flatMap((name) => [...labels.values()].map((label) => `${name}, ${label}`)),
        ...unwanted.flatMap((label) => all.map((name) => `${name}, ${label}`)),
      ];
      for (const [box, plot] of plots) {
        plot.hidden = box.hasAttribute("data-together") ? together : off;
        plot.update().catch(report);
      }
    };
    refresh.set(figure, hide);
    for (const box of boxes) box.addEventListener("change", hide);
    const scales = [...figure.querySelectorAll("button[data-scale]")].filter((b) => b instanceof HTMLElement);
    for (const button of scales) {
      button.addEventListener("click", () => {
        for (const other of scales) other.setAttribute("aria-pressed", String(other === button));
        for (const plot of plots.values()) {
          plot.scale = button.dataset.scale ?? "linear";
          plot.update().catch(report);
        }
      });
    }
  }

  const figures = [...document.querySelectorAll(".figure[data-experiment]")].filter((f) => f instanceof HTMLElement);
  const texts = new Map(
    figures.map((figure) => {
      const said = [...figure.querySelectorAll("h3, .source, .legend span")].map((part) => part.textContent);
      return [figure, said.join(" ").toLowerCase()];
    }),
  );
  // A link to a figure, or a filter that looks for some, opens those of its paper.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target?.closest("details.figures:not([open])");
    if (!target || !closed) return;
    closed.setAttribute("open", "");
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();
  const status = document.getElementById("figure-count");
  filters.listen((wanted) => {
    const chosen = [...labels].filter(([slug]) => !wanted.devices.includes(slug)).map(([, label]) => label);
    const others = chosen.join() !== unwanted.join();
    unwanted = chosen;
    for (const plots of document.querySelectorAll(".plots")) {
      const boxes = [...plots.querySelectorAll(".device")].filter((box) => box instanceof HTMLElement);
      // Plots without shares are shown as rates.
      const views = [wanted.view, "rates"].filter((view) => wanted.view !== "" && view !== "");
      const view = views.find((one) => boxes.some((box) => box.dataset.together === one));
      for (const box of boxes) {
        const { together, device = "" } = box.dataset;
        box.hidden = view
          ? together !== view
          : together !== undefined || (wanted.devices.length > 0 && !wanted.devices.includes(device));
      }
      const shown = boxes.filter((box) => !box.hidden).length;
      plots.setAttribute("data-count", `${shown}`);
      if (plots.parentElement?.dataset.experiment === undefined)
        plots.parentElement?.toggleAttribute("hidden", shown === 0);
    }
    for (const figure of figures) {
      const nowhere = figure.querySelector(".plots")?.getAttribute("data-count") === "0";
      figure.hidden = nowhere || !filters.fits(figure, texts.get(figure) ?? "", wanted);
    }
    for (const part of document.querySelectorAll("details.figures")) {
      part.toggleAttribute("hidden", part.querySelector(".figure:not([hidden])") === null);
      if (wanted.words.length > 0 || wanted.paper !== "" || wanted.table !== "") part.setAttribute("open", "");
    }
    for (const part of document.querySelectorAll(".of-device")) {
      if (part instanceof HTMLElement)
        part.hidden = wanted.devices.length > 0 && !wanted.devices.includes(part.dataset.device ?? "");
    }
    for (const link of document.querySelectorAll(".contents a")) {
      const target = document.getElementById((link.getAttribute("href") ?? "").slice(1));
      if (link instanceof HTMLElement) link.hidden = target?.hidden === true;
    }
    for (const group of document.querySelectorAll(".contents li")) {
      group.toggleAttribute("hidden", group.querySelector("a:not([hidden])") === null);
    }
    if (others) for (const hide of refresh.values()) hide();
    const shown = figures.filter((figure) => !figure.hidden).length;
    if (status) status.textContent = filters.counted(shown, figures.length, "figure");
  });
}
