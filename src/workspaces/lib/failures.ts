import { ToolFailure } from "../../core/words/result.ts";

export const errorCode = (error: unknown): string =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string"
    ? ((error as NodeJS.ErrnoException).code as string)
    : "";

/** Shortens a path for a message: a model may send megabytes. */
export const brief = (path: string): string => (path.length > 300 ? `${path.slice(0, 300)}…` : path);

export const swapped = (shown: string): ToolFailure =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `${shown} is no longer where its path led: a link or another folder has replaced part of it.`,
    "Look at the folder again, then repeat the call with the path that you find.",
  );

export const conflict = (shown: string, what: string): ToolFailure =>
  new ToolFailure(
    "CONFLICT",
    `${shown} ${what}; nothing was changed.`,
    "Read it again and repeat the change on what is there now.",
  );

export const notRegular = (shown: string): ToolFailure =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `${shown} is not a regular file (a pipe, socket or device).`,
    "Only regular files can be read or changed.",
  );

export const isFolder = (shown: string): ToolFailure =>
  new ToolFailure("VALIDATION_ERROR", `${shown} is a folder, not a file.`, "List it, or name a file in it.");

export const notFound = (shown: string): ToolFailure =>
  new ToolFailure("NOT_FOUND", `${shown} does not exist.`, "Check the name, or list the folder to see what is there.");

export const madeTwice = (shown: string): ToolFailure =>
  new ToolFailure("VALIDATION_ERROR", `${shown} would be changed twice at once.`, "Join both changes into one.");

export const insideFile = (shown: string): ToolFailure =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `${shown} cannot exist: a part of its path is a file, not a folder.`,
    "Choose a path that goes through folders only.",
  );

/** Turns an error of the operating system into a failure that says what to do next. */
export function asFailure(error: unknown, shown: string): unknown {
  if (error instanceof ToolFailure) return error;
  switch (errorCode(error)) {
    case "":
      return error;
    case "ENOENT":
      return notFound(shown);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ToolFailure(
        "PERMISSION_DENIED",
        `The operating system does not allow this on ${shown} (${errorCode(error)}).`,
        "Leave this file alone, or ask a person to change its permissions.",
      );
    case "ELOOP":
      return swapped(shown);
    case "EISDIR":
      return isFolder(shown);
    case "ENOTDIR":
      return new ToolFailure(
        "VALIDATION_ERROR",
        `${shown} is not a folder, or a part of its path is a file.`,
        "Name a folder, or read it as a file.",
      );
    case "ENXIO":
    case "ENODEV":
      return notRegular(shown);
    case "ENAMETOOLONG":
      return new ToolFailure("VALIDATION_ERROR", `The name ${brief(shown)} is too long.`, "Choose a shorter name.");
    default:
      return new ToolFailure(
        "IO_ERROR",
        `${shown}: ${(error as Error).message}`,
        "Try again. If it keeps failing, check the disk and its free space.",
      );
  }
}
