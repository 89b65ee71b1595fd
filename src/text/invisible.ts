/** Characters that people do not see, but a model reads: tag letters, direction controls, zero-width blanks. */
const INVISIBLE =
  /[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|\u034f|[\u00ad\u061c\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;
/** Joiners and variation selectors belong to letters and emoji; many in a row encode something else. */
const HEAPED = /(?:\u200c|\u200d|[\ufe00-\ufe0f]){3,}/g;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, "").replace(HEAPED, "");
