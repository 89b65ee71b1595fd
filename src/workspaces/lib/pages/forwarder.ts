/** The port in the browser's network namespace, where nothing else listens. */
export const INNER_PORT = 8118;

/** The longest message that a browser may send, far above any picture or snapshot that we ask for. */
export const MOST_MESSAGE = 64 * 1024 * 1024;

/** A file of this name in the browser's folder says that the browser was ended because a message was too long. */
export const TOO_LONG = "too-long";

/** Messages that nobody here listens to, and that a page can make as long and as many as it likes. */
const UNHEARD = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];

/** Chromium must not preconnect to a page's targets before they were judged. */
const PREFERENCES = { net: { network_prediction_options: 2 } };

/**
 * Run by `node -e` between us and the browser, inside the browser's namespace if it has one. A port there leads to the
 * proxy's socket outside ("" for none), and nothing else leads out. It starts the browser, passes on the messages of
 * the control pipes (3 and 4), and exits with it.
 */
export const FORWARDER = `
const fs = require("node:fs");
const net = require("node:net");
const { spawn } = require("node:child_process");
const [socket, folder, profile, program, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  client.on("error", () => proxy.destroy());
  proxy.on("error", () => client.destroy());
  client.pipe(proxy);
  proxy.pipe(client);
});
fs.mkdirSync(profile + "/Default", { recursive: true });
fs.writeFileSync(profile + "/Default/Preferences", ${JSON.stringify(JSON.stringify(PREFERENCES))});
if (socket === "") start();
else server.listen(${INNER_PORT}, "127.0.0.1", start);

function start() {
  const browser = spawn(program, args, { stdio: [0, 1, 2, "pipe", "pipe"] });
  browser.on("error", ({ message }) => { console.error(message); process.exit(127); });
  browser.on("exit", (code) => process.exit(code ?? 1));
  const [, , , orders, answers] = browser.stdio;
  const from = new net.Socket({ fd: 3, readable: true, writable: false });
  const to = new net.Socket({ fd: 4, readable: false, writable: true });
  for (const each of [orders, answers, from, to]) each.on("error", () => browser.kill("SIGKILL"));
  from.pipe(orders);
  const pass = passing(to, () => {
    fs.writeFileSync(folder + "/${TOO_LONG}", "");
    browser.kill("SIGKILL");
  });
  answers.on("data", (piece) => {
    if (pass(piece)) return;
    answers.pause();
    to.once("drain", () => answers.resume());
  });
  answers.on("end", () => to.end());
}

function passing(to, tooLong) {
  const unheard = ${JSON.stringify(UNHEARD)}.map((name) => '{"method":"' + name + '"');
  const enough = Math.max(...unheard.map((each) => each.length));
  let begun = Buffer.alloc(0);
  let length = 0;
  let passes;
  return (piece) => {
    let flows = true;
    for (let at = 0; at < piece.length; ) {
      const nul = piece.indexOf(0, at);
      const end = nul < 0 ? piece.length : nul + 1;
      let part = piece.subarray(at, end);
      at = end;
      length += part.length;
      if (passes === undefined) {
        part = begun = Buffer.concat([begun, part]);
        if (length >= enough || nul >= 0) passes = !unheard.some((each) => begun.toString("latin1").startsWith(each));
      }
      if (passes && length > ${MOST_MESSAGE}) tooLong();
      else if (passes) flows = to.write(part);
      if (nul < 0) continue;
      begun = Buffer.alloc(0);
      length = 0;
      passes = undefined;
    }
    return flows;
  };
}
`;
