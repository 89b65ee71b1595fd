import { describe, expect, test } from "vitest";
import { missedNetwork, type Said } from "./network-words.ts";

const FAILED: Said = { stdout: "", stderr: "", succeeded: false, stopped: false, onlyLooks: false };
const DONE: Said = { ...FAILED, succeeded: true };
const STOPPED: Said = { ...FAILED, stopped: true };

describe("a line wanted a network", () => {
  test.each<[line: string, said: Said]>([
    ["curl https://example.com", { ...FAILED, stderr: "curl: (6) Could not resolve host: example.com" }],
    ["curl -s https://example.com", FAILED],
    ["curl -s 'https://example.com/x?a=b'", FAILED],
    ["wget -q https://example.com/x", FAILED],
    ["curl -sf https://example.com > page.html || echo failed", { ...DONE, stdout: "failed" }],
    ["curl -s https://example.com | jq .", DONE],
    ["npm install", STOPPED],
    ["npm ci --no-audit", STOPPED],
    ["yarn", STOPPED],
    ["npx -y cowsay hi", STOPPED],
    ["cd web && npm i left-pad", STOPPED],
    ["npm install", { ...FAILED, stderr: "npm error code EAI_AGAIN" }],
    ["npm install || true", { ...DONE, stderr: "npm error code EAI_AGAIN" }],
    ["npm install 2>&1 | tail -3", { ...DONE, stdout: "npm error network request failed, getaddrinfo ENOTFOUND x" }],
    ["pip install x || true", { ...DONE, stderr: "[Errno -3] Temporary failure in name resolution" }],
    ["./setup.sh", { ...FAILED, stdout: "fatal: unable to access 'https://example.com/x.git/'" }],
    ["./setup.sh", { ...DONE, stderr: "ssh: Could not resolve hostname example.com" }],
    ["python3 get.py 2>&1 | tail -1", { ...DONE, stdout: "[Errno -3] Temporary failure in name resolution" }],
    ["git clone https://example.com/x.git", STOPPED],
    ["git -q clone git@example.com:x.git", FAILED],
    ["cargo fetch", { ...FAILED, stderr: "Could not resolve host: index.crates.io" }],
  ])("%s %j", (line, said) => expect(missedNetwork(line, said)).toBe("outside"));

  test.each<[line: string, said: Said]>([
    ["curl http://127.0.0.1:3000", { ...FAILED, stderr: "curl: (7) Failed to connect to 127.0.0.1 port 3000" }],
    ["curl -s http://localhost:3000/health", FAILED],
    ["curl -sv 'http://[::1]:80/'", { ...FAILED, stderr: "Connection refused" }],
    ["node client.js", { ...FAILED, stderr: "Error: connect ECONNREFUSED 127.0.0.1:5432" }],
  ])("of this machine: %s %j", (line, said) => expect(missedNetwork(line, said)).toBe("loopback"));
});

describe("a line did not", () => {
  test.each<[line: string, said: Said]>([
    ["npm test", FAILED],
    ["npm test", STOPPED],
    ["npm run dev", STOPPED],
    ["cargo fmt", STOPPED],
    ["node server.js", STOPPED],
    ["git status", STOPPED],
    ["make", { ...FAILED, stderr: "make: *** No targets." }],
    ["cat log.txt", { ...DONE, onlyLooks: true, stdout: "Error: getaddrinfo ENOTFOUND x" }],
    ["grep -rn 'could not resolve' src", { ...DONE, onlyLooks: true, stdout: "src/a.ts:1: could not resolve" }],
    ["curl -s http://127.0.0.1:3000", { ...DONE, stdout: "hello" }],
    ["curl -s http://localhost:3000 | head -1", DONE],
    ["node test.js", { ...DONE, stdout: "ok 1 - connect ECONNREFUSED is handled" }],
    ["false", FAILED],
  ])("%s %j", (line, said) => expect(missedNetwork(line, said)).toBeUndefined());
});
