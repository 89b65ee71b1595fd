import type { Workspace } from "../../core/contracts/workspace.ts";
import { type Soon, whenThere } from "../../core/journey/soon.ts";
import { pathIn } from "../../core/words/containment.ts";
import type { Place } from "../../core/words/touch.ts";

/** What the layer has at a place; a link with where it leads. undefined: nothing of its own. */
export type Above = "gone" | "file" | { link: string } | undefined;

type Layer = { at(real: string): Above; anyGone(): boolean; seen(place: Place): Place };

const MOST_LINKS = 16;

/** Where paths lead in a workspace whose files lie above those of another: not through what is gone there. */
export function placesAbove(base: Workspace, { at: above, anyGone, seen }: Layer): Workspace["locate"] {
  /** The first part of a path that is gone; what follows it would be made there. */
  const behindGone = (names: readonly string[], at = 1): Soon<Place | undefined> => {
    if (at >= names.length) return undefined;
    const rest = names.slice(at);
    const next = () => behindGone(names, at + 1);
    const isPlain = rest.every((name) => name !== "" && name !== "." && name !== "..");
    const prefix = names.slice(0, at).join("/");
    if (prefix === "" || !isPlain) return next();
    const look = ({ shown, real, root }: Place): Soon<Place | undefined> =>
      above(real) === "gone"
        ? seen({ shown: `${shown}/${rest.join("/")}`, real: pathIn(real, rest.join("/")), root, exists: false })
        : next();
    try {
      const place = base.locate(prefix, true);
      return place instanceof Promise ? place.then(look, next) : look(place);
    } catch {
      return next();
    }
  };

  /** What the layer has in place of a link, or of nothing, is what is meant; a link of its own is followed. */
  const among = (path: string, itself: boolean, links: number): Soon<Place> =>
    whenThere(base.locate(path, true), ({ link, ...own }) => {
      const there = above(own.real);
      if (there === "gone" || there === "file") return seen(own);
      if (there && itself) return { ...own, exists: true, link: true };
      if (there && links < MOST_LINKS) return find(from(own.real, there.link), false, links + 1);
      const meant = link ? { ...own, link } : own;
      return itself || !link ? seen(meant) : whenThere(base.locate(path), seen);
    });

  const find = (path: string, itself: boolean, links: number): Soon<Place> =>
    anyGone()
      ? whenThere(behindGone(path.split("/")), (found) => found ?? among(path, itself, links))
      : among(path, itself, links);

  return (path, itself = false) => find(path, itself, 0);
}

const from = (link: string, target: string): string =>
  target.startsWith("/") ? target : `${link.slice(0, link.lastIndexOf("/"))}/${target}`;
