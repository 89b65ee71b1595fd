import type { Workspace } from "../../core/contracts/workspace.ts";
import { type Soon, whenThere } from "../../core/journey/soon.ts";
import { pathIn } from "../../core/words/containment.ts";
import type { Place } from "../../core/words/touch.ts";

/** What the layer has at a place, with the target if it is a link; undefined if it has nothing there. */
export type Above = "gone" | "file" | { link: string } | undefined;

type Layer = { at(real: string): Above; anyGone(): boolean; seen(place: Place): Place };

type Ahead = (path: string) => Soon<Place>;

const MOST_LINKS = 16;

/** Locates paths in a workspace layered over another one. Paths do not lead through what the layer has deleted. */
export function placesAbove(base: Workspace, { at: above, anyGone, seen }: Layer): Workspace["locate"] {
  /** Finds the first deleted folder on a path. The rest would be created below it, and `..` cancels a name. */
  const behindGone = (names: readonly string[], ahead: Ahead, at = 1): Soon<Place | undefined> => {
    if (at > names.length) return undefined;
    const next = () => behindGone(names, ahead, at + 1);
    const look = (place: Place): Soon<Place | undefined> =>
      above(place.real) === "gone" ? made(place, names.slice(at), ahead) : next();
    try {
      const place = base.locate(names.slice(0, at).join("/"), true);
      return place instanceof Promise ? place.then(look, next) : look(place);
    } catch {
      return next();
    }
  };

  const made = ({ shown, real, root }: Place, rest: readonly string[], ahead: Ahead): Soon<Place> => {
    const below: string[] = [];
    for (const [index, name] of rest.entries()) {
      if (name !== "..") below.push(name);
      else if (below.pop() === undefined) return ahead(pathIn(parentOf(real), rest.slice(index + 1).join("/")));
    }
    return seen({ shown: [shown, ...below].join("/"), real: [real, ...below].join("/"), root, exists: false });
  };

  /** A file of the layer hides a link or a gap of the base; a link of the layer is followed. */
  const among = (path: string, itself: boolean, links: number): Soon<Place> =>
    whenThere(base.locate(path, true), (place) => {
      const { link, ...own } = place;
      const there = above(own.real);
      if (there === "gone" || there === "file") return seen(own);
      if (there && itself) return { ...own, exists: true, link: true };
      if (there && links < MOST_LINKS) return find(from(own.real, there.link), false, links + 1);
      return itself || !link ? seen(place) : whenThere(base.locate(path), seen);
    });

  const find = (path: string, itself: boolean, links: number): Soon<Place> => {
    if (!anyGone()) return among(path, itself, links);
    const ahead: Ahead = (other) => find(other, itself, links);
    return whenThere(behindGone(namesOf(path), ahead), (found) => found ?? among(path, itself, links));
  };

  return (path, itself = false) => find(path, itself, 0);
}

/** Drops empty names and dots, except the first name, which says where the path starts. */
const namesOf = (path: string): string[] =>
  path.split("/").filter((name, index) => index === 0 || (name !== "" && name !== "."));

const parentOf = (real: string): string => real.slice(0, real.lastIndexOf("/"));

const from = (link: string, target: string): string =>
  target.startsWith("/") ? target : `${parentOf(link)}/${target}`;
