import { describe, expect, test } from "vitest";
import { beforeOf, placeOf } from "../../../test/tripping.ts";
import { foundAt, watching } from "../../../test/watching.ts";
import { rowOf } from "./trip.ts";
import { accountFor } from "./watching.ts";

test("an account of a watch that another process began says what was kept, found and lost", async () => {
  const { trip, files, store } = watching();
  files.set("a", { text: "new" });
  const known = [beforeOf("a", "old")];
  const ids = await store.intend(known.map((file) => rowOf(trip, file, { after: "untold" })));
  const end = async () => ({ found: [foundAt("b")], lost: ["c"], whole: true });
  const { account, whole } = await accountFor(trip, { known, ids, since: trip.startedAt }, { known: [], end });
  expect(whole).toBe(true);
  expect(account).toMatchObject({ kept: ["a", "b"], lost: ["c"] });
  expect(account.changed.map(({ place }) => place)).toEqual([placeOf("a"), placeOf("b")]);
});

describe("a file that a command removed", () => {
  const accountOf = async (prepare: (world: ReturnType<typeof watching>) => void, before: string | null = "old") => {
    const world = watching();
    prepare(world);
    const known = [beforeOf("a", before)];
    const ids = await world.store.intend(known.map((file) => rowOf(world.trip, file, { after: "untold" })));
    const end = async () => ({ found: [], lost: [], whole: true });
    const since = world.trip.startedAt;
    const { account } = await accountFor(world.trip, { known, ids, since }, { known: [], end });
    return { kept: account.kept, lost: account.lost };
  };
  const KEPT = { kept: ["a"], lost: [] };
  const LOST = { kept: [], lost: ["a"] };

  test("can come back", async () => expect(await accountOf(() => {})).toEqual(KEPT));

  test.each<[string, (world: ReturnType<typeof watching>) => void]>([
    ["a folder stands in its place", ({ files }) => void files.set("a", { text: "", kind: "folder" })],
    [
      "a link above it leads elsewhere",
      ({ trip }) => Object.assign(trip.station.workspace, { locate: () => placeOf("b") }),
    ],
    [
      "nobody can tell where it was",
      ({ trip }) => Object.assign(trip.station.workspace, { locate: () => Promise.reject(new Error("loop")) }),
    ],
  ])("cannot where %s", async (_, prepare) => expect(await accountOf(prepare)).toEqual(LOST));
});
