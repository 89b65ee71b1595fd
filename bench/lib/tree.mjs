import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const FOLDERS = 1_000;
const FILES_EACH = 50;
const LINES = 24;

export const FILES = FOLDERS * FILES_EACH;
/** On two lines of every file. */
export const COMMON = "compute";
/** On one line of every hundredth file. */
export const RARE = "reconsider";

const line = (file, index) => {
  if (index === 3 || index === 17) return `  const value${index} = ${COMMON}(${file}, "some text of a usual length");`;
  if (index === 9 && file % 100 === 0) return `  // ${RARE} what ${file} is for`;
  return `  // line ${index} of the file ${file}, with words as they are`;
};

/** Small files in folders of folders, as a large project has them. */
export function writeTree(root) {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const place = path.join(root, `part${Math.floor(folder / 25)}`, `folder${folder % 25}`);
    mkdirSync(place, { recursive: true });
    for (let index = 0; index < FILES_EACH; index++) {
      const file = folder * FILES_EACH + index;
      const lines = Array.from({ length: LINES }, (_, each) => line(file, each));
      writeFileSync(path.join(place, `file${index}.js`), `${lines.join("\n")}\n`);
    }
  }
}
