const SMALL = 4096;

/** A queue of bytes that is dropped from the front. Small pieces are joined to save objects. */
export class ByteWindow {
  #chunks: Buffer[] = [];
  #first = 0;
  bytes = 0;

  push(chunk: Buffer): void {
    const last = this.#chunks.at(-1);
    if (last && this.#first < this.#chunks.length && last.length + chunk.length <= SMALL)
      this.#chunks[this.#chunks.length - 1] = Buffer.concat([last, chunk]);
    else this.#chunks.push(chunk);
    this.bytes += chunk.length;
  }

  /** Drops this many bytes, or all if there are fewer. */
  drop(count: number): number {
    let left = Math.min(count, this.bytes);
    const dropped = left;
    this.bytes -= dropped;
    while (left > 0) {
      const first = this.#chunks[this.#first] as Buffer;
      if (first.length > left) {
        this.#chunks[this.#first] = first.subarray(left);
        left = 0;
      } else {
        left -= first.length;
        this.#chunks[this.#first++] = EMPTY;
      }
    }
    if (this.#first > 64 && this.#first * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
    return dropped;
  }

  chunks(): Buffer[] {
    return this.#chunks.slice(this.#first);
  }
}

const EMPTY = Buffer.alloc(0);
