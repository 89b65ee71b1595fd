import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** An empty file that commands see in place of one that they must not read. Created on first use. */
export class EmptyFile {
  #folder: string | undefined;

  get path(): string {
    if (this.#folder === undefined) {
      this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-empty-"));
      fs.writeFileSync(path.join(this.#folder, "empty"), "", { mode: 0o444 });
    }
    return path.join(this.#folder, "empty");
  }

  close(): void {
    if (this.#folder !== undefined) fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}
