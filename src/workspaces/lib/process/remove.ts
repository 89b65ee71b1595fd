import fs from "node:fs";
import { errorCode } from "../failures.ts";

export function isEmptyFolder(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** Safe: rmdir removes nothing but an empty folder. */
export function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // gone, or a person put something there
  }
}

/** Like `rmSync` with `force`, at a fraction of its cost. */
export function removeFile(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
