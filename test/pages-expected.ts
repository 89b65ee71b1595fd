/** What must be in the markdown of each page, and what must not. */
export const PAGES: Record<string, { has: string[]; lacks?: string[] }> = {
  "api-endpoints": {
    has: [
      "# Orders\n",
      "## List orders\n",
      "### Parameters\n",
      "| limit  | integer ",
      "`open\\|closed`",
      "| open closed ",
    ],
    lacks: ["[List]", "openclosed"],
  },
  changelog: {
    has: ["## 2.0.0 (2026-02-01)\n", "([#12](https://example.com/pull/12))", "- Needs Node 20", "Fixes a leak"],
  },
  "docs-sphinx": {
    has: [
      "# Queues\n",
      "```python\nfrom ledger import Queue\nq = Queue(limit=10)\n```",
      "| `limit` | 100 ",
      "none \\| forever",
    ],
    lacks: ["¶", "Install", "Sphinx", "1\n2"],
  },
  encyclopedia: {
    has: [
      "# Merino\n",
      "| Origin | Spain ",
      "[sheep](https://example.com/wiki/Sheep",
      "## History\n",
      "cite_note-1",
      "1. ",
    ],
    lacks: ["edit]", "Main page", "last edited"],
  },
  glossary: {
    has: ["**Bisque**\n\nClay that was fired once.", "**Glazing**", "[bisque](https://example.com/dir/page#bisque)"],
  },
  japanese: { has: ["# 羊について", "[羊毛](https://example.com/", "## 種類", "- メリノ"] },
  listing: { has: ["| [kiln-1.0.tar.gz](https://example.com/dir/kiln-1.0.tar.gz) | 2026-01-02 10:00 "] },
  "manual-page": { has: ["## SYNOPSIS\n\n```\n       kiln [-t degrees] file...\n```", "How hot. See kiln.conf(5)."] },
  news: {
    has: [
      "# Bridge reopens after two years\n",
      "[promised](https://example.com/2024/05/promise)",
      "## What it cost\n",
      "last trip",
    ],
    lacks: ["privacy", "Sport", "Imprint", "NewsArticle"],
  },
  "old-forum": {
    has: ["[Show: A kiln made of bricks](https://example.com/dir/item?id=1)", "88 points by ida", "Why sheep sleep"],
  },
  "old-style": {
    has: [
      "# Welcome\n",
      "This is _my_ page\n\nIt has no end tags",
      "- two **bold**",
      "| c | d |",
      "(https://example.com/dir/links.htm)",
    ],
    lacks: ["My page"],
  },
  pictures: {
    has: [
      "![The gate](https://cdn.example.net/trip/one.jpg)",
      "At the gate",
      "trip/two.jpg",
      "[Map](https://cdn.example.net/trip/map.html)",
    ],
    lacks: ["javascript:", "R0lGOD"],
  },
  prices: {
    has: [
      "# Simple prices",
      "|           | Jobs     | Users |",
      "| **Large** | no limit |",
      "**Can I change plans?**\n\nYes",
    ],
  },
  questions: {
    has: [
      "How do I copy an array?",
      "```javascript\nconst a = [1, 2];\nconst b = a; // same one\n```",
      "`[...a]`",
      "const b = a.slice();",
    ],
  },
  recipe: { has: ["# Flat bread", "- 200", "1. Mix.", "- Add water slowly.", "2. Bake at 250°C."] },
  "reference-article": {
    has: [
      "# Array.prototype.chunk()",
      "## Syntax",
      "```js\nchunk(size)\nchunk(size, fill)\n```",
      "**`size`**\n\nHow long",
      "| chunk | 121 ",
    ],
    lacks: ["Menu", "blueprint"],
  },
  "repository-readme": {
    has: [
      "# Kiln\n",
      "![build](https://ci.example.com/acme/kiln.svg)",
      "```shell\nnpm install kiln\n# or\nyarn add kiln\n```",
      "docs/rate.md",
    ],
    lacks: ["Sign in", "[]("],
  },
  specification: { has: ["# RFC 9999", "## 1\\. Introduction", "+---+    +---+\n| A |--->| B |"], lacks: ["¶"] },
  statistics: { has: ["Sheep by year", "| Year | North | South |", "| 2025 | 1,310 | a\\|b  |", "| Sum  | 2,514 |"] },
  "tabs-and-lines": {
    has: [
      '```ts\nimport { kit } from "kit";\n\nkit.start();\n```',
      "```bash\nnpx kit init\nnpx kit dev\n```",
      "start?x=1&y=2)",
    ],
    lacks: ["Copy", "[Docs]"],
  },
  "app-shell": {
    has: ["# Releases\n", "## [2.0](https://example.com/r/2)", "Faster **and** smaller."],
    lacks: ["IGNORE", "[A]"],
  },
  definitions: {
    has: [
      "# Options\n",
      "## run",
      "**`--limit N`**",
      "Default: `10`.",
      "- `json`",
      "| Code | Meaning ",
      "[rules](https://example.com/dir/rules.html) |",
    ],
    lacks: ["¶", "Permalink"],
  },
  "email-layout": {
    has: [
      "# Your invoice\n",
      "| Item    | Price |",
      "| Needles | 4.00  |",
      "[Pay now](https://example.com/pay?id=7&x=1)",
      "![Ledger](https://example.com/logo.png)",
    ],
  },
  "forum-thread": {
    has: [
      "# Queue stops after restart\n",
      "```\nError: lock is held by 4211\n    at Queue.open (queue.js:12)\n```",
      "[the docs](https://example.com/docs/locks#stale)",
      "> the queue stops",
      "2. Remove the lock\n  - only if nobody holds it",
    ],
    lacks: ["Log in", "Powered by"],
  },
  "japanese-ruby": {
    has: [
      "# 羊について\n",
      "羊(ひつじ)は",
      "(https://example.com/%E7%BE%8A%E6%AF%9B)",
      "## 種類",
      "- メリノ",
      "| 名前",
    ],
  },
  "line-numbers": {
    has: [
      "# Listing\n",
      "```\ndef area(w, h):\n    # in metres\n    return w * h\n```",
      "[areas](https://example.com/area)",
    ],
    lacks: ["1\n2"],
  },
  "mailing-list": {
    has: [
      "ledger-dev",
      "[Locks](https://example.com/dir/000124.html)",
      "> Who holds the lock?",
      "http://example.org/locks",
      '    lock = open("x")',
    ],
  },
  "math-footnotes": {
    has: ["# Area of a circle\n", "πr^2", "[1](https://example.com/dir/page#fn1)", "## Notes", "1. Archimedes"],
    lacks: ["\\pi", "πr2"],
  },
  rowspans: {
    has: [
      "# Timetable\n",
      "Trains to the coast",
      "| Day    | Leaves ",
      "| Monday | 7:10 ",
      "none \\| bus",
      "?day=all)",
    ],
  },
  "tabs-languages": {
    has: [
      "```sh\nnpm install ledger\n```",
      "```sh\npip install ledger\n```",
      '```json\n{ "limit": 10 }\n```',
      "**Older versions**",
    ],
  },
  weblog: {
    has: [
      "# How we moved to one queue\n",
      "## One is enough",
      "1. mail",
      "> “It works",
      "```sql\nSELECT id FROM jobs\nWHERE done = 0 && tries < 3;\n```",
      "(https://example.com/queues/)",
    ],
    lacks: ["Recent posts", "powered", "[About]"],
  },
};
