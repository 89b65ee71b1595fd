/** How to recognise schemas of other libraries: by a property that only they have. */
const LIBRARIES: readonly [name: string, mark: string][] = [
  ["joi", "$_root"],
  ["yup", "__isYupSchema__"],
  ["superstruct", "refiner"],
  ["io-ts", "decode"],
  ["Effect Schema", "ast"],
  ["zod 3", "safeParse"],
];

/** Throws unless a tool's input is a zod 4 schema or a JSON Schema, so that mistakes show before a model calls it. */
export function checkInputSchema(tool: string, input: unknown): void {
  const found = input === undefined || input === null || has(input, "_zod") ? undefined : foreign(input);
  if (found)
    throw new TypeError(`The input of the tool ${tool} is ${found}. It must be a zod 4 schema or a JSON Schema.`);
}

function foreign(input: {}): string | undefined {
  if (typeof input !== "object" && typeof input !== "function") return `a ${typeof input}, not a schema`;
  const library = LIBRARIES.find(([, mark]) => has(input, mark))?.[0] ?? vendorOf(input);
  if (library) return `a schema of ${library}${library === "zod 3" ? "" : ", which has to be turned into JSON Schema"}`;
  if (typeof input === "function" || Array.isArray(input)) return "no schema";
  if (Object.values(input).some((each) => has(each, "_zod"))) return "an object of zod schemas: wrap it in z.object()";
  return undefined;
}

/** Many libraries name themselves in `~standard`. */
function vendorOf(input: object): string | undefined {
  const { "~standard": standard } = input as { "~standard"?: unknown };
  return has(standard, "vendor") ? String((standard as { vendor: unknown }).vendor) : undefined;
}

const has = (value: unknown, key: string): boolean =>
  (typeof value === "object" || typeof value === "function") && value !== null && key in value;
