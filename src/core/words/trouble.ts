import { Ending, type Result, ToolFailure } from "./result.ts";

/**
 * Why a call failed, if that was not its own fault. TRANSIENT: it may pass by itself. DEPENDENCY: something that it
 * needs is not there. INTERNAL: nobody foresaw it.
 */
export type Trouble = "TRANSIENT" | "RATE_LIMITED" | "RESOURCE" | "DEPENDENCY" | "INTERNAL";

const BY_CODE: Readonly<Record<string, Trouble | "PERMANENT">> = {
  ...from("TRANSIENT", "ECONNRESET ECONNREFUSED ECONNABORTED ETIMEDOUT ESOCKETTIMEDOUT EBUSY EAGAIN EPIPE EAI_AGAIN"),
  ...from(
    "TRANSIENT",
    "UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET SQLITE_BUSY",
  ),
  ...from("RESOURCE", "EMFILE ENFILE ENOMEM ENOSPC EDQUOT"),
  ...from("DEPENDENCY", "ENOTFOUND EHOSTUNREACH ENETUNREACH EHOSTDOWN"),
  ...from("PERMANENT", "ENOENT EACCES EPERM EISDIR ENOTDIR EEXIST ENOTEMPTY ENAMETOOLONG EROFS EXDEV ELOOP EINVAL"),
};

function from<T extends string>(trouble: T, codes: string): Record<string, T> {
  return Object.fromEntries(codes.split(" ").map((code) => [code, trouble]));
}

const PASSES = /\b(?:timed out|time-?out|temporarily unavailable|try again later|connection reset|socket hang up)\b/i;
const LIMITED = /\b(?:too many requests|rate limit(?:ed)?)\b/i;
const MOST_CAUSES = 4;

/** The trouble behind a thrown value, or undefined if it is the call's own fault and would happen again. */
export function troubleOf(error: unknown): Trouble | undefined {
  try {
    if (error instanceof Ending) return error.status === "timed-out" ? "TRANSIENT" : undefined;
    if (error instanceof ToolFailure) return byResult(error.code);
    const coded = byCode(error);
    return coded === null ? undefined : (coded ?? byMessage(error));
  } catch {
    return "INTERNAL";
  }
}

/** The same for a failure that a tool returned. */
export const troubleIn = ({ success, status, error }: Result): Trouble | undefined =>
  success || (status !== "failed" && status !== "timed-out") ? undefined : byResult(error?.code);

const byResult = (code: unknown): Trouble | undefined =>
  code === "TIMEOUT" ? "TRANSIENT" : code === "RATE_LIMITED" ? "RATE_LIMITED" : undefined;

/** An error often wraps another one: the cause of `fetch failed` has the reason. */
function byCode(error: unknown): Trouble | undefined | null {
  let each = error;
  for (let depth = 0; depth < MOST_CAUSES && typeof each === "object" && each !== null; depth++) {
    const { code, cause } = each as { code?: unknown; cause?: unknown };
    const found = typeof code === "string" && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
    if (found) return found === "PERMANENT" ? null : found;
    each = cause;
  }
  return undefined;
}

function byMessage(error: unknown): Trouble {
  if (!(error instanceof Error)) return "INTERNAL";
  if (LIMITED.test(error.message)) return "RATE_LIMITED";
  return PASSES.test(error.message) ? "TRANSIENT" : "INTERNAL";
}

/** Whether the same call may succeed a moment later. */
export const mayPass = (trouble: Trouble | undefined): boolean => trouble === "TRANSIENT" || trouble === "RATE_LIMITED";
