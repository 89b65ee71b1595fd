/** Nobody sees them, and a model reads them: letters from the block of tags, controls of direction, blanks without width. */
const INVISIBLE =
  /[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|\u034f|[\u00ad\u061c\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;
/** Joiners and selectors belong to letters and pictures; many in a row spell something else. */
const HEAPED = /(?:\u200c|\u200d|[\ufe00-\ufe0f]){3,}/g;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, "").replace(HEAPED, "");
