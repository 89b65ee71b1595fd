import { mediaType } from "../media.ts";

export type Kind = "html" | "json" | "text" | "pdf" | "image" | "binary";

const TEXT =
  /^(?:text\/|application\/(?:.*\+)?(?:xml|json|javascript|ecmascript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|x-www-form-urlencoded|rtf|atom|rss)\b)|\+xml$|\+json$/i;
const SAMPLE = 8_192;

/** By the first bytes, then by the declared type, then by whether it looks like text. */
export function kindOf(bytes: Uint8Array, contentType = ""): Kind {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const media = mediaType(bytes);
  if (media) return media === "application/pdf" ? "pdf" : "image";
  const sample = bytes.subarray(0, SAMPLE);
  const isUtf16 = (sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff);
  if (sample.includes(0) && !isUtf16 && !/utf-?(?:16|32)/i.test(contentType)) return "binary";
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return "html";
  if (/[/+]json$/.test(type)) return "json";
  if (TEXT.test(type)) return "text";
  if (type !== "" && type !== "application/octet-stream") return "binary";
  const start = new TextDecoder("latin1").decode(sample).trimStart().slice(0, 200).toLowerCase();
  if (/^(?:<!doctype html|<html|<head|<body)/.test(start)) return "html";
  if (isMostlyControl(sample)) return "binary";
  return /^[[{]/.test(start) ? "json" : "text";
}

function isMostlyControl(sample: Uint8Array): boolean {
  let control = 0;
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) control++;
  return control > sample.length / 20;
}
