import type { CallRecord } from "../../../core/contracts/store/records.ts";
import { isPathTouch, type PathTouch, type Touch } from "../../../core/words/touch.ts";

/** The short form of most touches, an existing file in the workspace: its action and name. */
export type FlatTouch = [action: PathTouch["action"], shown: string];

const MOST_FIELDS = 3;

function isPlain(touch: Touch, workspace: string): touch is PathTouch {
  if (!isPathTouch(touch) || !touch.certain || Object.keys(touch).length !== MOST_FIELDS) return false;
  const { shown, real, root, exists, link } = touch.place;
  return exists && !link && root === workspace && real === `${workspace}/${shown}`;
}

export const flat = (touches: readonly Touch[], workspace: string): (Touch | FlatTouch)[] =>
  touches.map((touch) => (isPlain(touch, workspace) ? [touch.action, touch.place.shown] : touch));

export const toTouch = (touch: Touch | FlatTouch, workspace: string): Touch => {
  if (!Array.isArray(touch)) return touch;
  const [action, shown] = touch;
  return { action, place: { shown, real: `${workspace}/${shown}`, root: workspace, exists: true }, certain: true };
};

/** Fields that few records have. New ones go last, because older pages lack them. */
export type Rare = [
  error?: CallRecord["error"] | null,
  alerts?: CallRecord["alerts"] | null,
  parent?: string | null,
  output?: CallRecord["output"] | null,
  seen?: CallRecord["seen"] | null,
  changed?: boolean | null,
  ceiling?: CallRecord["ceiling"] | null,
  outside?: boolean | null,
];

export function rareOf({
  error,
  alerts,
  parent,
  output,
  seen,
  changed,
  ceiling,
  outside,
}: CallRecord): Rare | undefined {
  if (!error && !alerts && parent === undefined && !output && !seen && changed === undefined && !ceiling && !outside)
    return undefined;
  const rare: Rare = [
    ...([error ?? null, alerts ?? null, parent ?? null, output ?? null] as const),
    ...([seen ?? null, changed ?? null, ceiling ?? null, outside ?? null] as const),
  ];
  while (rare.at(-1) === null) rare.pop();
  return rare;
}

export const rareFields = ([error, alerts, parent, output, seen, changed, ceiling, outside]: Rare) => ({
  ...(error && { error }),
  ...(alerts && { alerts }),
  ...(typeof parent === "string" && { parent }),
  ...(output && { output }),
  ...(seen && { seen }),
  ...(typeof changed === "boolean" && { changed }),
  ...(ceiling && { ceiling }),
  ...(outside && { outside }),
});
