import type { Place } from "../words/touch.ts";
import type { Bytes, Workspace } from "./workspace.ts";

/** A file as it is to be shown; null: as gone. */
export type Laid = { place: Place; after: Bytes | null; mode?: number };

/** A workspace on top of another one, in which plans stay. */
export interface Overlay extends Workspace {
  /** Shows these files so, whatever is there. */
  lay(files: readonly Laid[]): Promise<void>;
  /** Shows what is below again. */
  clear(): void;
  /** Whether the file at this place, or one below it, is shown otherwise than it is on the disk. */
  differs(place: Place): boolean;
}
