/** The parts of an element that we use: the libraries' types need those of a browser, which are not available here. */
export type Part = {
  readonly tagName: string;
  readonly parentNode: Part | null;
  readonly children: ArrayLike<Part>;
  textContent: string;
  innerHTML: string;
  id: string;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  closest(selector: string): Part | null;
  querySelector(selector: string): Part | null;
  querySelectorAll(selector: string): Iterable<Part>;
  replaceWith(...parts: (Part | string)[]): void;
  append(...parts: (Part | string)[]): void;
  remove(): void;
};
export type Page = Part & { body: Part; createElement(name: string): Part; cloneNode(deep: boolean): Page };

export type PartTools = ReturnType<typeof partTools>;

/** Helpers for all parts of the conversion. Its source is sent to that process, too. */
export function partTools(page: Page) {
  const all = (within: Part, selector: string): Part[] => Array.from(within.querySelectorAll(selector));
  const counted = (within: Part, selector: string): number => all(within, selector).length;
  const textIn = (part: Part): string => (part.textContent ?? "").replace(/\s+/g, " ").trim();
  const renamed = (part: Part, name: string): Part => {
    const other = page.createElement(name);
    other.innerHTML = part.innerHTML;
    part.replaceWith(other);
    return other;
  };
  return { all, counted, textIn, renamed };
}
