const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™" },
  ...{ hellip: "…", mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»" },
  ...{ bull: "•", middot: "·", times: "×", deg: "°", euro: "€", pound: "£", yen: "¥", cent: "¢", sect: "§", para: "¶" },
  ...{ larr: "←", rarr: "→", uarr: "↑", darr: "↓", le: "≤", ge: "≥", ne: "≠", plusmn: "±", frac12: "½", shy: "" },
  ...{ auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è" },
  ...{ agrave: "à", aacute: "á", ccedil: "ç", ntilde: "ñ", oacute: "ó", iacute: "í", uacute: "ú", ecirc: "ê" },
};

/** Decodes `&amp;`, `&#38;` and `&#x26;`; anything else stays as it is. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]\w{1,30}));/g, (all, decimal, hex, name) => {
        if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] as string) : all;
        const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
        return isCharacter ? String.fromCodePoint(point) : "\ufffd";
      })
    : text;
