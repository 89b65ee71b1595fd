import { isDevice } from "./protected-places.ts";
import { type Field, withoutStandIns } from "./walk.ts";

type Rule = (words: readonly Field[]) => string | undefined;

const ERASES = "it erases a disk, or changes how it is divided";

const textsOf = (words: readonly Field[]): string[] => words.slice(1).map(({ text }) => withoutStandIns(text));

/** Other names for a disk or a part of one. */
const ON_DISK = /^(?:\/dev\/|nvme\d|(?:PART)?(?:UUID|LABEL)=)/;

/** Words with which a program does harm; `onDisk`: only if it also names a device. */
const harming =
  (harm: RegExp, onDisk = false): Rule =>
  (words) => {
    const texts = textsOf(words);
    return texts.some((text) => harm.test(text)) &&
      (!onDisk || texts.some((text) => isDevice(text) || ON_DISK.test(text)))
      ? ERASES
      : undefined;
  };

/** A partitioning program harms its disk, unless it is only asked to show something and nothing `more`. */
const dividing =
  (shows: RegExp, more: RegExp): Rule =>
  (words) => {
    const texts = textsOf(words);
    const onlyShows = texts.some((text) => shows.test(text)) && !texts.some((text) => more.test(text));
    return texts.some(isDevice) && !onlyShows ? ERASES : undefined;
  };

/** The value of an option that names the output. */
const OUTPUT = /^(?:of=|-o=?|--output=)(\/.*)$/;
const writingTo: Rule = (words) => {
  const texts = textsOf(words);
  const target = texts
    .map((text, index) => OUTPUT.exec(text)?.[1] ?? (/^(?:-o|--output)$/.test(texts[index - 1] ?? "") ? text : ""))
    .find(isDevice);
  return target === undefined ? undefined : `it writes to ${target}`;
};

/** The last word is written over. */
const writingLast: Rule = (words) => {
  const last = textsOf(words)
    .filter((text) => !text.startsWith("-"))
    .at(-1);
  return isDevice(last ?? "") ? `it writes to ${last}` : writingTo(words);
};

const writingImage: Rule = (words) => (/^(?:convert|dd)$/.test(words[1]?.text ?? "") ? writingLast(words) : undefined);

const of = (names: string, rule: Rule): [string, Rule][] => names.split(" ").map((name) => [name, rule]);

const SHOWN_BY_SGDISK = /^(?:-[pivL]|--(?:print|info|verify|list-types|backup)(?:=.*)?)$/;
const SHOWN_BY_SFDISK = /^(?:-[lJsdVTF]+|--(?:list|json|dump|verify|show-\w+|list-\w+|backup.*))$/;
/** Matches no word: no other word makes the program do more than show. */
const NOTHING = /(?!)/;

/** Programs that overwrite, format or divide disks. */
export const DISKS: readonly (readonly [string, Rule])[] = [
  ...of("sgdisk", dividing(SHOWN_BY_SGDISK, /^-(?!(?:[pivLDEFfOVPb]|-(?:print|info|verify|list-types|backup)\b))/)),
  ...of("gdisk cgdisk", dividing(/^-l$/, NOTHING)),
  ...of("fdisk cfdisk", dividing(/^(?:-[lsx]+|--(?:list|list-details|getsz))$/, NOTHING)),
  ...of(
    "sfdisk",
    dividing(SHOWN_BY_SFDISK, /^(?:-[a-zA-Z]*[aNrA]|--(?:del|app|partno|reo|act|part-|disk-|move|rel|wipe))/),
  ),
  ...of(
    "parted",
    dividing(/^(?:-l|--list|print|p|align-check)$/, /(?:^|\s)(?:mk|rm\b|res|nam|set|tog|disk_|mov|cp\b|typ)/),
  ),
  ...of("cryptsetup", harming(/^(?:luksFormat|luksErase|erase|reencrypt|format)$/, true)),
  ...of("badblocks", harming(/^-[a-zA-Z]*w/, true)),
  ...of("nvme", harming(/^(?:format|sanitize|write|write-zeroes|dsm)$/, true)),
  ...of("hdparm", harming(/^--(?:security-(?:erase|set)|write-sector|trim-sector|make-bad-sector)/)),
  ...of("mdadm", harming(/^(?:--zero-superblock|--create|-C)$/)),
  ...of("zpool", harming(/^(?:create|destroy|labelclear)$/)),
  ...of("zfs", harming(/^destroy$/)),
  ...of("debugfs", harming(/^-[a-zA-Z]*w/, true)),
  ...of("sg_format sg_sanitize", () => ERASES),
  ...of("pvremove pvcreate vgremove lvremove", harming(/^[^-]/)),
  ...of("ddrescue dd_rescue", writingLast),
  ...of("pv", writingTo),
  ...of("qemu-img", writingImage),
];
