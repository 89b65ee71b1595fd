import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import type { Place, Touch } from "../words/touch.ts";
import { isLinkMode, LINK_MODE, placesAmong, type Stamp, sameStamp, type Workspace } from "./workspace.ts";

test.each<[number | undefined, boolean]>([
  [LINK_MODE, true],
  [0o120644, true],
  [0o100644, false],
  [0o644, false],
  [0o160000, false],
  [undefined, false],
])("%o is the mode of a link: %s", (mode, is) => expect(isLinkMode(mode)).toBe(is));

test("a stamp is the same where nothing of it differs", () => {
  const stamp: Stamp = { size: 1, mtimeMs: 2, ctimeMs: 3, ino: 4 };
  expect(sameStamp(stamp, { ...stamp })).toBe(true);
  for (const name of Object.keys(stamp)) expect(sameStamp(stamp, { ...stamp, [name]: 9 }), name).toBe(false);
});

describe("what a path means in a call", () => {
  const place = (shown: string, more: Partial<Place> = {}): Place => ({
    ...{ shown, real: `/ws/${shown}`, root: "/ws", exists: true },
    ...more,
  });
  /** `l` and `m` are links to `a`. */
  const locating = (touches: Touch[]) => {
    const asked: string[] = [];
    const locate = (name: string, itself = false) => {
      asked.push(itself ? `${name} itself` : name);
      const isLink = name === "l" || name === "m";
      if (!isLink) return place(name);
      return itself ? place(name, { link: true }) : place(name, { real: "/ws/a" });
    };
    return { asked, locate: placesAmong(touches, { locate } as unknown as Workspace) };
  };
  const link = (name: string): Touch => ({ action: "delete", certain: true, place: place(name, { link: true }) });
  const declaredLink = link("l");

  test.each<[what: string, touches: Touch[], name: string, real: string]>([
    ["a file", [at("read", "a")], "a", "/ws/a"],
    ["a link is followed", [at("read", "b")], "l", "/ws/a"],
    ["a place that was declared is as it was declared", [at("read", "l")], "l", "/ws/l"],
    [
      "one outside the roots is resolved",
      [{ action: "read", certain: true, place: place("l", { root: "" }) }],
      "l",
      "/ws/a",
    ],
    ["a link that was declared is not", [declaredLink], "l", "/ws/l"],
    ["another one is", [link("l")], "m", "/ws/a"],
    ["a file, where a link was declared", [link("l"), at("write", "a")], "a", "/ws/a"],
    ["what is there now in the place of a link", [link("a")], "a", "/ws/a"],
    ["a link, where a command is run", [{ action: "run", command: "x", class: "dev", inner: [] }], "l", "/ws/a"],
  ])("%s", async (_, touches, name, real) => {
    const found = await locating(touches).locate(name);
    expect(found.real).toBe(real);
    expect(found.link).toBe(touches.includes(declaredLink) && real === "/ws/l" ? true : undefined);
  });

  test("nobody looks for links where none was declared", async () => {
    const { asked, locate } = locating([at("read", "a"), { ...link("x"), action: "list" } as Touch]);
    await locate("a");
    expect(asked).toEqual(["a itself", "a"]);
    const none = locating([at("read", "a")]);
    await none.locate("b");
    expect(none.asked).toEqual(["b"]);
    await none.locate("a");
    expect(none.asked, "declared, so known").toEqual(["b"]);
  });
});
