import fs from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { type Covers, coversLocked, coversOf, emptied, guardMounts } from "./guard-mounts.ts";
import type { Mount } from "./mounts.ts";

const NOTHING = { hidden: [], fixed: [], outside: [] };
const exactly =
  (far: "whole" | "itself", ...files: string[]): Covers =>
  (file) =>
    files.includes(file) ? far : undefined;

/** How each path is guarded: what is put over it. */
const told = (mounts: readonly Mount[], base: string): Record<string, string> =>
  Object.fromEntries(
    mounts.map(({ path, args }) => [
      path.replace(base, ""),
      args[0] === "--perms"
        ? `closed ${args[1]}`
        : args[1] === "/dev/null"
          ? "blank"
          : args[0] === "--ro-bind"
            ? "kept"
            : "?",
    ]),
  );

const stage = () => {
  const site = useSite();
  site.put({
    "root/.env": "k",
    "root/a.ts": "a",
    "root/secret/deep/key": "k",
    "root/src/b.ts": "b",
    "root/node_modules/p/.env": "k",
    "root/.git/config": "",
    "root/.toolgate/x": "",
    "more/.env": "k",
    "away/.env": "k",
  });
  const look = (guarded: Partial<Parameters<typeof guardMounts>[1]>, roots = [site.root]) =>
    told(guardMounts(roots, { ...NOTHING, ...guarded }), site.base);
  return { ...site, look };
};

describe("what a command must not see or change", () => {
  test("nothing is mounted where nothing is guarded", () => expect(stage().look({})).toEqual({}));

  test("a file is blank, a folder is closed with all below it, and what is kept can be read", () => {
    const { look, root } = stage();
    expect(
      look({ hidden: [coversOf([".env", "secret"])], fixed: [exactly("whole", `${root}/a.ts`, `${root}/src`)] }),
    ).toEqual({ "/root/.env": "blank", "/root/secret": "closed 0444", "/root/a.ts": "kept", "/root/src": "kept" });
  });

  test("every root is looked through, and each by its own names", () => {
    const { look, root, at } = stage();
    expect(look({ hidden: [coversOf([".env"])] }, [root, at("more")])).toEqual({
      "/root/.env": "blank",
      "/more/.env": "blank",
    });
  });

  test("a guard that leaves something out below a folder does not take the folder", () => {
    const { look, root } = stage();
    expect(look({ hidden: [exactly("itself", `${root}/src`, `${root}/src/b.ts`)] })).toEqual({
      "/root/src/b.ts": "blank",
    });
  });

  test("one guard of several is enough", () => {
    const { look, root } = stage();
    const hidden = [exactly("whole", `${root}/a.ts`), exactly("whole", `${root}/src/b.ts`)];
    expect(Object.keys(look({ hidden })).sort()).toEqual(["/root/a.ts", "/root/src/b.ts"]);
  });

  test("what is hidden is not shown again because it is kept as well", () => {
    const { look, root } = stage();
    const fixed = [exactly("whole", `${root}/secret/deep`, `${root}/.env`, `${root}/a.ts`)];
    expect(look({ hidden: [coversOf(["secret", ".env"])], fixed })).toEqual({
      "/root/secret": "closed 0444",
      "/root/.env": "blank",
      "/root/a.ts": "kept",
    });
  });

  test("packages, git and our own folder are not searched, but are guarded where they are meant themselves", () => {
    const { look, root } = stage();
    const below = [`${root}/node_modules/p/.env`, `${root}/.git/config`, `${root}/.toolgate/x`];
    expect(look({ hidden: [exactly("whole", ...below)] })).toEqual({});
    expect(look({ hidden: [exactly("whole", `${root}/node_modules`)] })).toEqual({
      "/root/node_modules": "closed 0444",
    });
  });
});

test("only so much is guarded one by one, so that a command starts in a moment", () => {
  const site = stage();
  const folders = Array.from({ length: 600 }, (_, n) => `root/d${n}`);
  site.put(
    Object.fromEntries(
      folders.flatMap((folder) => [
        [`${folder}/.env`, "k"],
        [`${folder}/other`, ""],
      ]),
    ),
  );
  expect(Object.keys(site.look({ hidden: [coversOf([".env"])] }))).toHaveLength(500);
});

test("only so many other names of one file are guarded", () => {
  const site = stage();
  for (let n = 0; n < 510; n++) fs.linkSync(site.at("root/.env"), site.at(`root/src/copy${n}`));
  expect(Object.keys(site.look({ hidden: [coversOf([".env"])] }))).toHaveLength(1 + 500);
});

test("files are emptied, and a folder that a matching link leads to is not", () => {
  const site = stage();
  fs.symlinkSync("src", site.at("root/folder.env"));
  fs.symlinkSync("a.ts", site.at("root/file.env"));
  const mounts = emptied([site.root], ["**/*.env"], () => "/empty");
  expect(mounts.map(({ args }) => args.join(" ").replaceAll(site.base, "")).sort()).toEqual([
    "--ro-bind /empty /root/.env",
    "--ro-bind /empty /root/a.ts",
  ]);
});

describe("links", () => {
  test("what a matching link leads to is guarded, if that is inside and not the root or git's", () => {
    const site = stage();
    for (const [target, name] of [
      ["src/b.ts", "in"],
      ["../away/.env", "out"],
      ["nowhere", "dangling"],
      [".", "self"],
      [".git/config", "to-git"],
    ] as const)
      fs.symlinkSync(target, site.at(`root/${name}`));
    const links = ["in", "out", "dangling", "self", "to-git"].map((name) => site.at(`root/${name}`));
    expect(site.look({ hidden: [exactly("whole", ...links)] })).toEqual({ "/root/src/b.ts": "blank" });
  });

  test("a folder behind a link is not searched by the link's name", () => {
    const site = stage();
    fs.symlinkSync("../away", site.at("root/to-away"));
    expect(site.look({ hidden: [coversOf([".env"])] })).toEqual({ "/root/.env": "blank" });
  });
});

describe("another hard link to the same content", () => {
  const linked = () => {
    const site = stage();
    fs.linkSync(site.at("root/.env"), site.at("root/src/copy"));
    fs.linkSync(site.at("root/secret/deep/key"), site.at("root/src/key"));
    fs.linkSync(site.at("root/a.ts"), site.at("root/src/a2.ts"));
    fs.linkSync(site.at("root/src/b.ts"), site.at("root/unrelated.ts"));
    fs.linkSync(site.at("root/.env"), site.at("root/node_modules/copy"));
    return site;
  };

  test("of what is hidden is hidden too, also of what lies below a hidden folder", () =>
    expect(linked().look({ hidden: [coversOf([".env", "secret"])] })).toEqual({
      "/root/.env": "blank",
      "/root/secret": "closed 0444",
      "/root/src/copy": "blank",
      "/root/src/key": "blank",
    }));

  test("of what is kept is kept too", () => {
    const site = linked();
    expect(site.look({ fixed: [exactly("whole", site.at("root/a.ts"))] })).toEqual({
      "/root/a.ts": "kept",
      "/root/src/a2.ts": "kept",
    });
  });

  test("is not kept by itself in a root that is kept as a whole", () => {
    const site = linked();
    const fixed = [exactly("whole", site.root, site.at("root/a.ts"))];
    expect(site.look({ fixed })).toEqual({ "/root": "kept", "/root/a.ts": "kept" });
    expect(site.look({ fixed }, [site.root, site.at("more")])).toEqual({ "/root": "kept", "/root/a.ts": "kept" });
  });

  test("of what lies in a root that is kept as a whole is kept in another root too", () => {
    const site = stage();
    fs.linkSync(site.at("root/a.ts"), site.at("more/a2.ts"));
    fs.linkSync(site.at("root/src/b.ts"), site.at("root/b2.ts"));
    const fixed: Covers[] = [(file, root) => (root === site.root ? coversOf(["**"])(file, root) : undefined)];
    const mounts = site.look({ fixed }, [site.root, site.at("more")]);
    expect([mounts["/root"], mounts["/more/a2.ts"], mounts["/more"]]).toEqual(["kept", "kept", undefined]);
  });

  test("is looked for among so many files, and no more", () => {
    const site = stage();
    site.put(Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`root/many/f${n}`, ""])));
    const look = vi.spyOn(fs, "lstatSync");
    site.look({ fixed: [exactly("whole", site.at("root/many"))] });
    const looked = look.mock.calls.filter(([file]) => String(file).startsWith(site.at("root/many/"))).length;
    look.mockRestore();
    expect(looked).toBe(2_000);
  });

  test("files without one cost nothing and add nothing", () => {
    const site = linked();
    fs.writeFileSync(site.at("root/alone"), "x");
    expect(site.look({ hidden: [exactly("whole", site.at("root/alone"))] })).toEqual({ "/root/alone": "blank" });
  });
});

describe("a whole root", () => {
  test.each(["**", "*", "./**", "**/*"])("%s keeps all of it", (glob) =>
    expect(stage().look({ fixed: [coversOf([glob])] })["/root"]).toBe("kept"),
  );

  test("one glob of several is enough, and another root stays as it is", () => {
    const { look, root, at } = stage();
    const onlyFirst: Covers = (file) => (file === root ? "whole" : undefined);
    expect(look({ fixed: [onlyFirst] }, [root, at("more")])).toEqual({ "/root": "kept" });
    expect(look({ fixed: [coversOf(["nothing", "**"])] })["/root"]).toBe("kept");
  });

  test.each(["src/**", "*.ts", "root"])("%s does not", (glob) =>
    expect(stage().look({ fixed: [coversOf([glob])] })["/root"]).toBeUndefined(),
  );

  test("is locked by its own path, and by nothing below it", () => {
    const { look, root } = stage();
    expect(look({ fixed: [coversLocked([root])] })["/root"]).toBe("kept");
    expect(look({ fixed: [coversLocked([`${root}/src/**`])] })).toEqual({ "/root/src": "kept" });
    expect(look({ fixed: [coversLocked([`${root}/a.ts`])] })).toEqual({ "/root/a.ts": "kept" });
  });
});

describe("paths elsewhere", () => {
  test("are hidden where they are, by their real names", () => {
    const site = stage();
    fs.symlinkSync("/etc", site.at("by-link"));
    expect(site.look({ outside: [site.at("by-link/passwd")] })).toEqual({ "/etc/passwd": "blank" });
    expect(site.look({ outside: ["/etc/ssl"] })).toEqual({ "/etc/ssl": "closed 0444" });
    expect(site.look({ outside: ["/etc/ssl"] }, ["/etc/ssh"])).toEqual({ "/etc/ssl": "closed 0444" });
  });

  test("are left alone where that would hide a root, a program, or a folder of the system", () => {
    const site = stage();
    const outside = [
      ...["/", "/etc", "/usr/bin/env", "/usr", "/bin/sh", "/dev/null", "/proc/self/status", "/sys/kernel"],
      ...[site.base, site.root, site.at("root/src"), site.at("root/.env"), site.at("missing")],
    ];
    expect(site.look({ outside })).toEqual({});
    expect(site.look({ outside: ["/etc/ssl"] }, ["/etc/ssl/certs"])).toEqual({});
    expect(site.look({ outside: ["/etc/ssl/certs"] }, ["/etc/ssl"])).toEqual({});
    expect(site.look({ outside: ["/etc/ssl"] }, ["/etc/ssl/certs", "/etc/ssh"])).toEqual({});
  });
});
