import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The text of a regular file. Throws for anything else, for long files and invalid UTF-8. Never blocks on a FIFO. */
export async function regularText(file: string, most: number): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new Error("it is not a regular file");
    if (info.size > most) throw new Error(`it has ${info.size} bytes; at most ${most} are read`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
  } catch (error) {
    throw error instanceof TypeError ? new Error("it is not UTF-8 text") : error;
  } finally {
    await handle.close();
  }
}

/** The first `most` bytes of a regular file, decoded; "" for anything else. */
export async function regularBeginning(file: string, most: number): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return "";
    const { buffer, bytesRead } = await handle.read(new Uint8Array(most), 0, most, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
