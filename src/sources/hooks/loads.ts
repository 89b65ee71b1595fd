import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const MOST_READ = 256 * 1024;
const MOST_FOUND = 200;

const PYTHON_FILES = (module: string): string[] => [`${module}.py`, `${module}/__init__.py`];
const JS_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js"];

/** Python looks for every module in the script's folder first, even for those that its own library imports. */
const STANDARD_LIBRARY =
  "_strptime abc argparse ast asyncio base64 bisect calendar codecs collections configparser contextlib copy copyreg csv ctypes dataclasses datetime decimal difflib dis email encodings enum fnmatch fractions functools genericpath getopt getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes multiprocessing ntpath numbers opcode operator os pathlib pickle pkgutil platform posixpath pprint queue quopri random re reprlib secrets select selectors shlex shutil signal site sitecustomize socket sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sysconfig tempfile textwrap threading time token tokenize tomllib traceback types typing unicodedata urllib usercustomize uuid warnings weakref xml zipfile zlib".split(
    " ",
  );

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].slice(0, MOST_FOUND).map(([, name]) => name as string);

const pythonLoads = (text: string, folder: string): string[] =>
  [...STANDARD_LIBRARY, ...found(text, /^[ \t]*(?:from|import)[ \t]+\.*([\w.]+)/gm)]
    .flatMap((module) => PYTHON_FILES(module.replaceAll(".", "/")))
    .map((file) => join(folder, file));

const jsLoads = (text: string, folder: string): string[] =>
  found(text, /(?:\brequire\s{0,9}\(|\bfrom|\bimport\s{0,9}\(?)\s{0,99}["'](\.{1,2}\/[^"'\n]{1,200})["']/g).flatMap(
    (name) => JS_ENDINGS.map((ending) => join(folder, `${name}${ending}`)),
  );

/** Files next to it that a script sources or runs: `. "$(dirname "$0")/lib.sh"`, `"$HERE"/check.py`. */
const shellLoads = (text: string, folder: string, root: string): string[] =>
  found(text, /(?<![\w./-])([\w./-]{1,300}\.(?:sh|bash|py|js|mjs|cjs|rb|pl))\b/g).flatMap((name) => [
    join(folder, name),
    join(root, name),
  ]);

/** Where the files would be that a script loads by name. Not recursive. */
export function loadsOf(script: string, root: string): string[] {
  const text = readFileSync(script).subarray(0, MOST_READ).toString("utf8");
  const [first = ""] = text.split("\n", 1);
  const isFor = (program: RegExp, ending: RegExp) =>
    ending.test(script) || (first.startsWith("#!") && program.test(first));
  const folder = dirname(script);
  if (isFor(/python/, /\.py$/)) return pythonLoads(text, folder);
  if (isFor(/\b(?:node|deno|bun)\b/, /\.[cm]?[jt]s$/)) return jsLoads(text, folder);
  return isFor(/sh\b/, /\.(?:ba|z)?sh$/) ? shellLoads(text, folder, root) : [];
}
