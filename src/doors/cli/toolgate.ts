declare const __VERSION__: string;

// the version must cost no more than starting Node does, so nothing is imported for it
const [first] = process.argv.slice(2);
if (first === "--version" || first === "-V" || first === "-v") process.stdout.write(`${__VERSION__}\n`);
else {
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2), __VERSION__);
}
