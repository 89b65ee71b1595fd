import { expect, test, vi } from "vitest";
import { follow } from "./followed-signals.ts";

/** A signal that counts who listens to it. */
function watched() {
  const stop = new AbortController();
  const { signal } = stop;
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const count = () => added.mock.calls.length - removed.mock.calls.length;
  return { stop, signal, count };
}

test("all who follow a signal hear of it, by one listener of ours", () => {
  const { stop, signal, count } = watched();
  const heard: number[] = [];
  for (const n of [1, 2, 3]) follow(signal, () => void heard.push(n));
  expect(count()).toBe(1);
  stop.abort();
  expect(heard).toEqual([1, 2, 3]);
});

test("who has left hears nothing, and the last one takes the listener along", () => {
  const { stop, signal, count } = watched();
  const heard: number[] = [];
  const [first, second] = [1, 2].map((n) => follow(signal, () => void heard.push(n))) as [() => void, () => void];
  first();
  expect(count()).toBe(1);
  second();
  expect(count()).toBe(0);
  stop.abort();
  expect(heard).toEqual([]);
});

test("who leaves twice takes nobody else along", () => {
  const { stop, signal, count } = watched();
  const heard: string[] = [];
  const leave = follow(signal, () => void heard.push("first"));
  leave();
  follow(signal, () => void heard.push("second"));
  leave();
  expect(count()).toBe(1);
  const third = follow(signal, () => void heard.push("third"));
  expect(count(), "they share what is there").toBe(1);
  third();
  stop.abort();
  expect(heard).toEqual(["second"]);
});

test("who leaves while it is told of, or is told to leave by another, changes nothing for the others", () => {
  const { stop, signal } = watched();
  const heard: string[] = [];
  const leave = follow(signal, () => {
    heard.push("first");
    leave();
    other();
  });
  const other = follow(signal, () => void heard.push("other"));
  follow(signal, () => void heard.push("last"));
  stop.abort();
  expect(heard).toEqual(["first", "other", "last"]);
});

test("signals are followed apart", () => {
  const [one, two] = [watched(), watched()];
  const heard: string[] = [];
  follow(one.signal, () => void heard.push("one"));
  follow(two.signal, () => void heard.push("two"));
  two.stop.abort();
  expect(heard).toEqual(["two"]);
});
