/** The port inside the network namespace of the browser, where nothing else listens. */
export const INNER_PORT = 8118;

/**
 * Runs inside the namespace, by `node -e`: a port there leads to the socket of the proxy outside, and nothing else
 * leads out. It starts the browser, with the pipes (3 and 4) by which it is driven, and ends with it.
 */
export const FORWARDER = `
const net = require("node:net");
const { spawn } = require("node:child_process");
const [socket, program, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  client.on("error", () => proxy.destroy());
  proxy.on("error", () => client.destroy());
  client.pipe(proxy);
  proxy.pipe(client);
});
server.listen(${INNER_PORT}, "127.0.0.1", () => {
  const browser = spawn(program, args, { stdio: [0, 1, 2, 3, 4] });
  browser.on("error", ({ message }) => { console.error(message); process.exit(127); });
  browser.on("exit", (code) => process.exit(code ?? 1));
});
`;
