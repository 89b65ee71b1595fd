import https from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { bodyOf } from "../../../tools/lib/web/fetching.ts";
import { networkOf } from "./local-network.ts";

/** For tests alone: it is good for the name pinned.example. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ6YQDn9ifc2K8W0B
pgXLvQOMc5NCZJ/QMDYsY0PI0DehRANCAATwHgdzbaXCuZWmsrLDsrIG2kknScMP
zxMNZ7d5LPs71lmm0Y+K3kXgC4kL+4QBeMiAsQb79exqlnGCKmyzyXdp
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBozCCAUqgAwIBAgIUNW74Btd3/nKgWINTnJu72+YPetYwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOcGlubmVkLmV4YW1wbGUwIBcNMjYxMTE2MDU1MDMyWhgPMjEy
NjEwMjMwNTUwMzJaMBkxFzAVBgNVBAMMDnBpbm5lZC5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE8B4Hc22lwrmVprKyw7KyBtpJJ0nDD88TDWe3eSz7
O9ZZptGPit5F4AuJC/uEAXjIgLEG+/XsapZxgipss8l3aaNuMGwwHQYDVR0OBBYE
FPazORY864qtxzGdrxTNqasIB6O0MB8GA1UdIwQYMBaAFPazORY864qtxzGdrxTN
qasIB6O0MA8GA1UdEwEB/wQFMAMBAf8wGQYDVR0RBBIwEIIOcGlubmVkLmV4YW1w
bGUwCgYIKoZIzj0EAwIDRwAwRAIgJNRmyUQilOjsrWoLLVmVKiB5vkpA2/kbX9F9
byIdgOACIAtMQx4uytnjeKBAfQVG/AgOCtb/t/xocCzdd+hGMq7V
-----END CERTIFICATE-----`;

async function secured(ca?: string) {
  const names: unknown[] = [];
  const server = https.createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    names.push((request.socket as { servername?: unknown }).servername, request.headers.host);
    response.end("safe");
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const network = networkOf({
    ...{ deny: [], allowPrivateHosts: ["127.0.0.1"], secrets: {}, lookup: async () => [{ address: "127.0.0.1" }] },
    ...(ca !== undefined && { ca }),
  });
  const get = async (host: string) => {
    const response = await network.request({ url: `https://${host}:${port}/` });
    return Buffer.from((await bodyOf(response, 100)).bytes).toString();
  };
  return { get, names, port };
}

test("the certificate has to be that of the name in the URL, whatever address was connected to", async () => {
  const { get, names, port } = await secured(CERTIFICATE);
  expect(await get("pinned.example")).toBe("safe");
  expect(names).toEqual(["pinned.example", `pinned.example:${port}`]);
  for (const other of ["other.example", "127.0.0.1"])
    await expect(get(other)).rejects.toMatchObject({
      code: "IO_ERROR",
      message: expect.stringContaining("certificate"),
    });
  expect(names).toHaveLength(2);
});

test("a certificate that nobody vouches for is refused, also where the environment says otherwise", async () => {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    const { get, names } = await secured();
    await expect(get("pinned.example")).rejects.toMatchObject({ code: "IO_ERROR" });
    expect(names).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});
