import type { FileView } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { nearest } from "../../text/nearest.ts";

/** The failure for a missing file, with the names that may have been meant. */
export async function missingFile(path: string, files: FileView): Promise<ToolFailure> {
  const near = nearest(
    path,
    (await files.near(path)).filter((name) => name !== path),
  );
  const otherwise = path.includes("\\")
    ? `Paths are written with slashes: ${path.replaceAll("\\", "/")}`
    : "Look for it by name first, or create it with write_file.";
  const hint = near.length > 0 && !path.includes("\\") ? `Did you mean ${near.join(" or ")}?` : otherwise;
  return new ToolFailure("NOT_FOUND", `${path} does not exist.`, hint, { metadata: { path, near } });
}
