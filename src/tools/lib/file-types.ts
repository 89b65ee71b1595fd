/** File types by ripgrep's names, which models know, too. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  c: ["*.c", "*.h"],
  cpp: ["*.cpp", "*.cc", "*.cxx", "*.hpp", "*.hh", "*.hxx", "*.h", "*.inl"],
  cs: ["*.cs"],
  css: ["*.css", "*.scss"],
  dart: ["*.dart"],
  docker: ["Dockerfile*", "*Dockerfile", "*.dockerfile"],
  elixir: ["*.ex", "*.exs", "*.eex", "*.heex", "*.leex"],
  go: ["*.go"],
  graphql: ["*.graphql", "*.graphqls"],
  haskell: ["*.hs", "*.lhs"],
  html: ["*.html", "*.htm"],
  java: ["*.java", "*.jsp"],
  js: ["*.js", "*.jsx", "*.mjs", "*.cjs", "*.vue"],
  json: ["*.json", "*.jsonl"],
  kotlin: ["*.kt", "*.kts"],
  lua: ["*.lua"],
  make: ["Makefile", "makefile", "GNUmakefile", "*.mk"],
  markdown: ["*.md", "*.markdown", "*.mdx"],
  php: ["*.php", "*.phtml"],
  protobuf: ["*.proto"],
  py: ["*.py", "*.pyi"],
  r: ["*.R", "*.r", "*.Rmd"],
  ruby: ["*.rb", "*.gemspec", "Gemfile", "Rakefile"],
  rust: ["*.rs"],
  sass: ["*.sass", "*.scss"],
  scala: ["*.scala", "*.sbt"],
  sh: ["*.sh", "*.bash", "*.zsh", "*.ksh"],
  sql: ["*.sql"],
  svelte: ["*.svelte"],
  swift: ["*.swift"],
  tf: ["*.tf", "*.tfvars"],
  toml: ["*.toml"],
  ts: ["*.ts", "*.tsx", "*.mts", "*.cts"],
  txt: ["*.txt"],
  vue: ["*.vue"],
  xml: ["*.xml", "*.xsd", "*.xsl"],
  yaml: ["*.yaml", "*.yml"],
  zig: ["*.zig"],
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ javascript: "js", typescript: "ts", python: "py", "c++": "cpp", csharp: "cs", golang: "go", md: "markdown" },
  ...{ rs: "rust", rb: "ruby", kt: "kotlin", shell: "sh", bash: "sh", yml: "yaml", htm: "html", jsx: "js", tsx: "ts" },
  ...{ dockerfile: "docker", makefile: "make", proto: "protobuf", terraform: "tf", text: "txt", hs: "haskell" },
};

/** The globs of a file type; undefined for an unknown type. */
export function globsOfType(type: string): readonly string[] | undefined {
  const name = type.trim().toLowerCase().replace(/^\./, "");
  const known = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] as string) : name;
  return Object.hasOwn(TYPES, known) ? TYPES[known] : undefined;
}

export const typeNames = (): string[] => Object.keys(TYPES);
