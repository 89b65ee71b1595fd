const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MOST_IN_LINE = 52;

/** Bytes as git encodes them in a patch: up to 52 per line, their count first, then five digits per four bytes. */
export function base85Lines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += MOST_IN_LINE) {
    const piece = bytes.subarray(start, start + MOST_IN_LINE);
    const digits: string[] = [];
    for (let at = 0; at < piece.length; at += 4) digits.push(fiveDigits(piece, at));
    lines.push(`${LETTERS[piece.length - 1]}${digits.join("")}\n`);
  }
  return lines.join("");
}

function fiveDigits(bytes: Uint8Array, at: number): string {
  let number = 0;
  for (let index = at; index < at + 4; index++) number = number * 256 + (bytes[index] ?? 0);
  let digits = "";
  for (let place = 0; place < 5; place++) {
    digits = DIGITS[number % 85] + digits;
    number = Math.floor(number / 85);
  }
  return digits;
}
