import type { Place } from "../words/touch.ts";
import type { Bytes, Workspace } from "./workspace.ts";

/** A file as the overlay shows it; null if it is shown as deleted. */
export type Laid = { place: Place; after: Bytes | null; mode?: number };

/** A workspace on top of another one, which holds the changes of a plan. */
export interface Overlay extends Workspace {
  /** Shows these files, whatever is on the disk. */
  lay(files: readonly Laid[]): Promise<void>;
  /** Removes everything that was laid, so that the workspace below shows again. */
  clear(): void;
  /** Whether this file, or one below it, is shown differently from the disk. */
  differs(place: Place): boolean;
}
