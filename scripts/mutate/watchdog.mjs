// A thread that ends its process when a mutant never gives the other thread back. It counts the time that the process
// worked, not the time that went by: on a busy machine nobody is taken for hanging who only waits for a turn.
import { workerData } from "node:worker_threads";
import { note } from "./verdicts.mjs";

const LOOK_MS = 500;
const LONGEST_WAIT_MS = 600_000;
/** The run, or 0 between two; its mutant; the milliseconds of work that it may take. */
const state = new Int32Array(workerData.state);
const worked = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let run = 0;
let began = { worked: worked(), at: Date.now() };
setInterval(() => {
  const now = Atomics.load(state, 0);
  if (now !== run || now === 0) {
    run = now;
    began = { worked: worked(), at: Date.now() };
    return;
  }
  if (worked() - began.worked < Atomics.load(state, 2) && Date.now() - began.at < LONGEST_WAIT_MS) return;
  note(workerData.verdicts, { number: Atomics.load(state, 1), killer: "it hangs" });
  process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
