import type { Page, Part, PartTools } from "./page-parts.ts";

/**
 * Rewrites code, tables and lists so that they can be written as markdown or text. Its source is sent to another
 * process, so it must be self-contained.
 */
export function shapeForText(page: Page, tools: PartTools, root: Part, url: string): void {
  const { all, counted, textIn, renamed } = tools;
  const LANGUAGE = /(?:^|\s)(?:(?:language|lang|highlight-source|highlight|brush)[-:]\s*|sourceCode )([\w+#.]+)/;
  const NO_LANGUAGE = /^(?:source|none|default|notranslate|text|plain|plaintext)$/;

  shapeAll();

  function shapeAll(): void {
    for (const part of all(
      root,
      ".linenos,.lineno,.line-numbers-rows,.gutter,.headerlink,.anchorjs-link,.pilcrow,.mw-editsection",
    ))
      part.remove();
    const own = `${url.split("#", 1)[0]}#`;
    for (const link of all(root, "a")) {
      if (link.querySelector("img")) continue;
      const isOwn = link.getAttribute("href")?.startsWith(own) ?? false;
      if (/^(?:[#¶§]|🔗|)$/u.test(textIn(link))) link.remove();
      else if (isOwn && link.closest("h1,h2,h3,h4,h5,h6")) link.replaceWith(textIn(link), " ");
    }
    shapeMath();
    for (const pre of all(root, "pre")) shapeCode(pre);
    // from the inside out: a layout table is rebuilt from what its inner tables have become
    for (const table of all(root, "table").reverse()) shapeTable(table);
    for (const part of all(root, "dt,summary")) {
      const paragraph = renamed(part, "p");
      paragraph.innerHTML = `<strong>${paragraph.innerHTML}</strong>`;
    }
    for (const part of all(root, "dd")) renamed(part, "p");
    for (const part of all(root, "dl,details")) renamed(part, "div");
  }

  /** From the inside out: superscripts, subscripts and fractions become signs. */
  function shapeMath(): void {
    const signs: Record<string, string> = { MSUP: "^", MSUB: "_", MFRAC: "/" };
    for (const part of all(root, "msup,msub,mfrac").reverse()) {
      const texts = Array.from(part.children).map((each) => textIn(each));
      const grouped = texts.map((text) => (text.length > 1 ? `(${text})` : text));
      part.replaceWith(grouped.join(signs[part.tagName.toUpperCase()] ?? " "));
    }
  }

  function shapeCode(pre: Part): void {
    const code = pre.querySelector("code");
    const around = pre.closest("[class*=highlight-],[class*=language-],[class*=lang-],[class*=sourceCode]");
    const classes = [code, pre, pre.parentNode, around].map((part) => part?.getAttribute?.("class") ?? "");
    const language = classes.map((names) => LANGUAGE.exec(names)?.[1]).find((name) => name && !NO_LANGUAGE.test(name));
    for (const line of all(pre, "br")) line.replaceWith("\n");
    // lines in block elements end without a line break
    for (const line of all(pre, "div,p,tr")) line.append("\n");
    const text = pre.textContent.replace(/^\n/, "").trimEnd();
    const inner = page.createElement("code");
    if (language) inner.setAttribute("class", `language-${language}`);
    inner.textContent = text;
    pre.innerHTML = "";
    pre.removeAttribute("class");
    pre.append(inner);
    const cell = pre.closest("table");
    // a table that only puts line numbers beside code is not a table
    if (cell && counted(cell, "pre") === 1 && counted(cell, "tr") === 1) cell.replaceWith(pre);
  }

  function shapeTable(table: Part): void {
    const rows = all(table, "tr");
    const widest = Math.max(0, ...rows.map((row) => Array.from(row.children).length));
    const isLayout =
      table.querySelector("table") ||
      table.getAttribute("role") === "presentation" ||
      widest < 2 ||
      table.querySelector("pre");
    if (isLayout) {
      for (const part of all(table, "td,th")) if (part.closest("table") === table) renamed(part, "div");
      for (const part of all(table, "tr,thead,tbody,tfoot,caption"))
        if (part.closest("table") === table) renamed(part, "div");
      renamed(table, "div");
      return;
    }
    const caption = table.querySelector("caption");
    if (caption) {
      const paragraph = page.createElement("p");
      paragraph.textContent = textIn(caption);
      caption.remove();
      const pair = page.createElement("div");
      table.replaceWith(pair);
      pair.append(paragraph, table);
    }
    for (const cell of all(table, "td,th")) {
      for (const line of all(cell, "br")) line.replaceWith(" ");
      for (const part of all(cell, "p,div,li,ul,ol,h1,h2,h3,h4,h5,h6").reverse()) {
        const flat = renamed(part, "span");
        flat.replaceWith(flat, " ");
      }
    }
    fillSpans(rows);
  }

  /** Adds empty cells for those that span columns or rows, so that the others stay below their headings. */
  function fillSpans(rows: readonly Part[]): void {
    const carried: number[] = [];
    for (const row of rows) {
      let column = 0;
      for (const cell of Array.from(row.children)) {
        while ((carried[column] ?? 0) > 0) {
          carried[column] = (carried[column] ?? 0) - 1;
          cell.replaceWith(page.createElement("td"), cell);
          column++;
        }
        const wide = Math.min(20, Number(cell.getAttribute("colspan") ?? 1) || 1);
        const tall = Math.min(200, Number(cell.getAttribute("rowspan") ?? 1) || 1);
        for (const name of ["colspan", "rowspan"]) cell.removeAttribute(name);
        for (let more = 1; more < wide; more++) cell.replaceWith(cell, page.createElement("td"));
        for (let at = column; at < column + wide; at++) carried[at] = tall - 1;
        column += wide;
      }
    }
  }
}
