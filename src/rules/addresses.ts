import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_V6 = ipaddr.IPv6.parse("2000::");
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");

/**
 * Parses an address. One that only carries an IPv4 address (mapped, or with the well-known NAT64 prefix) becomes that
 * address. Returns undefined if it is not an address, or not written in full.
 */
export function addressOf(text: string): Address | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (bare.includes("%") || !ipaddr.IPv6.isValid(bare)) return undefined;
  const six = ipaddr.IPv6.parse(bare);
  const bytes = six.toByteArray();
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  return isMapped || six.match(NAT64, 96) ? new ipaddr.IPv4(bytes.slice(12)) : six;
}

const WORDS: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  loopback: "a loopback address",
  linkLocal: "a link-local address, where clouds keep their metadata",
  private: "a private address",
  uniqueLocal: "a private address",
  carrierGradeNat: "an address of a provider's own network",
  multicast: "a multicast address",
  broadcast: "a broadcast address",
};

/** Public by number, but answered by the host that a machine runs on. */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** Returns undefined for an address that anybody on the internet can reach, else its kind. */
export function privateKind(address: Address): string | undefined {
  if (METADATA.has(address.toString())) return "an address where a cloud keeps its metadata";
  const range = address.range();
  if (range !== "unicast") return WORDS[range] ?? "a reserved address";
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_V6, 3) ? "a reserved address" : undefined;
}

/** A block of addresses, such as 10.0.0.0/8, or one address. */
export type Block = { readonly address: Address; readonly bits: number };

export function blockOf(first: string, bits: number): Block | undefined {
  const address = addressOf(first);
  if (!address) return undefined;
  // the bits of a block in IPv4-mapped or NAT64 form count from the front of the IPv6 address
  const isCarried = address instanceof ipaddr.IPv4 && first.includes(":");
  return { address, bits: isCarried ? Math.max(0, bits - 96) : bits };
}

export function isIn(address: Address, { address: first, bits }: Block): boolean {
  if (address instanceof ipaddr.IPv4) return first instanceof ipaddr.IPv4 && address.match(first, bits);
  return first instanceof ipaddr.IPv6 && address.match(first, bits);
}
