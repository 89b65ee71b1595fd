// Which mutants earlier runs killed, so that a run can go on where another one stopped.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const FOLDER = "node_modules/.cache/toolgate-mutate";

/** By source file; a file that has changed since is started afresh. */
export class Killed {
  #folder;
  #files = new Map();

  constructor(folder = FOLDER) {
    this.#folder = folder;
  }

  /** The test that killed it, if one did. */
  killer(mutant) {
    return this.#of(mutant.file).killers[idOf(mutant)];
  }

  add(mutant, killer) {
    this.#of(mutant.file).killers[idOf(mutant)] = killer;
  }

  save() {
    mkdirSync(this.#folder, { recursive: true });
    for (const [file, known] of this.#files) writeFileSync(this.#placeOf(file), JSON.stringify(known));
  }

  #of(file) {
    const known = this.#files.get(file) ?? this.#read(file);
    this.#files.set(file, known);
    return known;
  }

  #read(file) {
    const source = createHash("sha1").update(readFileSync(file)).digest("hex");
    try {
      const kept = JSON.parse(readFileSync(this.#placeOf(file), "utf8"));
      if (kept.source === source) return kept;
    } catch {
      // nothing is known yet
    }
    return { source, killers: {} };
  }

  #placeOf(file) {
    return path.join(this.#folder, `${file.replaceAll("/", "+")}.json`);
  }
}

const idOf = ({ start, end, text }) => `${start}-${end} ${text}`;
