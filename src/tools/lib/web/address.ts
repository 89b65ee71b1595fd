import { ToolFailure } from "../../../core/words/result.ts";

const BARE_HOST = /^[a-z0-9](?:[a-z0-9-]*\.)+[a-z]{2,24}(?:[:/?#]|$)/i;

/** The URL that a model means, as it is sent: complete, and without the fragment. */
export function addressFrom(written: string): string {
  const text = written.trim();
  const whole = BARE_HOST.test(text) && !text.includes("://") ? `https://${text}` : text;
  if (!URL.canParse(whole))
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${JSON.stringify(text.slice(0, 200))} is not a URL.`,
      "Give a full URL such as https://example.com/page.",
    );
  const url = new URL(whole);
  url.hash = "";
  return url.href;
}
