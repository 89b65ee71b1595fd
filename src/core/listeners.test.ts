import { expect, test } from "vitest";
import { Listeners } from "./listeners.ts";
import type { EventBody } from "./words/event.ts";

const BODY = { type: "unrecorded", message: "m" } as unknown as EventBody;

function hearing() {
  let stamps = 0;
  const listeners = new Listeners(() => ({ id: `e${++stamps}`, at: stamps }) as never);
  const heard: unknown[] = [];
  return { listeners, heard, stamps: () => stamps };
}

test("all hear of it, with its stamp and what it is about; one that throws does not affect the others", () => {
  const { listeners, heard } = hearing();
  listeners.on(() => {
    throw new Error("its own mistake");
  });
  listeners.on((event) => void heard.push(event));
  listeners.emit(BODY, { session: "s", record: "r" });
  expect(heard).toEqual([{ ...BODY, id: "e1", at: 1, session: "s", record: "r" }]);
});

test("who has left hears nothing, and where nobody listens no event is made", () => {
  const { listeners, heard, stamps } = hearing();
  expect(listeners.any).toBe(false);
  const leave = listeners.on((event) => void heard.push(event));
  expect(listeners.any).toBe(true);
  leave();
  expect(listeners.any).toBe(false);
  listeners.emit(BODY);
  expect([heard, stamps()]).toEqual([[], 0]);
});

test("who comes or leaves while one is told of does not change who hears of it", () => {
  const { listeners, heard } = hearing();
  listeners.on(() => {
    leave();
    listeners.on(() => void heard.push("new"));
  });
  const leave = listeners.on(() => void heard.push("leaving"));
  listeners.emit(BODY);
  expect(heard).toEqual(["leaving"]);
});
