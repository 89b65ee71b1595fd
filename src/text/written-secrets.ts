import { PASSWORD } from "./blank-words.ts";
import { blanked, type Within } from "./shown-code.ts";

/** Forms in which a secret is written whatever program reads it: what comes before it, and the value. */
type Form = { hint: RegExp; pattern: RegExp };

const KEPT = /^(?:\$[{(]|\$[A-Z_][A-Z0-9_]*$|\{\{|<[\w .-]*>$|\*+$|\[redacted|%[sd]$|\?$|:\w+$)/;

const FORMS: readonly Form[] = [
  // SQL
  {
    hint: /identified|password/i,
    pattern:
      /((?:identified(?:[ \t]{1,4}with[ \t]{1,4}\w{1,64})?[ \t]{1,4}by[ \t]{0,4}|(?<![\w-])password(?:[ \t]{1,4}E?|[ \t]{0,4}=[ \t]{0,4}password[ \t]{0,4}\(|[ \t]{0,4}\([ \t]{0,4}))\\?['"])([^'"\n]{1,512})(?=\\?['"])/gi,
  },
  { hint: /pragma/i, pattern: /(pragma[ \t]{1,4}(?:re)?key[ \t]{0,4}=[ \t]{0,4}\\?['"])([^'"\n\\]{1,512})/gi },
  // .netrc, and what ftp is told
  {
    hint: /login|user/i,
    pattern:
      /((?<![\w-])(?:login|user)(?:\s|\\n){1,4}[^\s\\]{1,128}(?:\s|\\n){1,4}password[ \t]{1,4})([^\s"'\\]{1,512})/gi,
  },
  { hint: /ftp/, pattern: /((?:\n|["'])[ \t]{0,8}(?:user[ \t]{1,4}\S{1,128}|pass)[ \t]{1,4})([^\s"']{1,512})/gi },
  {
    hint: /pgpass/,
    pattern: /((?<![\w.:/-])[\w.*-]{1,128}:(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:)([^\s"':]{1,256})/g,
  },
  {
    hint: /</,
    pattern:
      /(<(?:[\w.:-]{0,64})(?:password|passwd|passphrase|secret|token|api-?key|secretkey|privatekey)>[ \t]{0,8})([^<\s]{1,512})(?=[ \t]{0,8}<\/)/gi,
  },
  { hint: /telegram/, pattern: /(api\.telegram\.org\/(?:file\/)?bot\d{1,16}:)([^\s/"'?]{6,128})/g },
  { hint: /webhooks/, pattern: /(\/api\/webhooks\/\d{4,24}\/)([^\s/"'?]{6,128})/g },
  // the configuration of curl
  {
    hint: /user/,
    pattern: /((?<![\w-])(?:proxy-)?user[ \t]{0,4}[=:]?[ \t]{0,4}\\?["'][\w.@-]{1,64}:)([^"'\n\\]{1,256})(?=\\?["'])/g,
  },
  { hint: /curl/, pattern: /((?<![\w-])user[ \t]{0,4}=[ \t]{0,4}[\w.@-]{1,64}:)([^\s"'\\]{1,256})/g },
  // `user:secret@tcp(host)`
  { hint: /@(?:tcp|unix)\(/, pattern: /((?<![\w/:])[\w.-]{1,64}:)([^\s"'@]{1,256})(?=@(?:tcp|unix)\()/g },
  { hint: /pass:|key:/, pattern: /((?<![\w-])(?:pass|hexkey|(?<=-macopt[ \t]{1,4})key):["']?)([^\s"'@]{1,512})/g },
  { hint: /jdbc:oracle/, pattern: /(jdbc:oracle:[a-z]{1,8}:[^\s/"']{1,64}\/)([^\s"'@]{1,512})/g },
  { hint: /\/(?:pass|pwd)/i, pattern: /((?<=[\s"'])\/(?:password|passwd|pass|pwd):)([^\s"']{1,512})/gi },
  // a whole header in quotes
  {
    hint: /-(?:key|token|secret|auth|id)/i,
    pattern:
      /(["'](?:[A-Za-z0-9]{1,32}-){1,5}(?:key|token|secret|auth|session-id):[ \t]{0,8})([^\s"']{4,4096})(?=["'])/gi,
  },
  // a file named after the secret in it
  {
    hint: />/,
    pattern:
      /((?<![\w.-])(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?["']?)([^\s"'|;&<>]{4,512})(?=["']?[ \t]{0,4}>{1,2}[ \t]{0,4}["']?[^\s|;&]{0,128}(?:password|passwd|secret|token|htpasswd|api[_-]?key)(?:\.txt)?["']?(?:[\s;|&]|$))/g,
  },
];

/** Secrets in SQL, in netrc and XML, in the addresses of webhooks, in headers. */
export function redactWritten(text: string, within: Within): string {
  return FORMS.reduce(
    (result, { hint, pattern }) =>
      hint.test(result)
        ? result.replace(pattern, (whole: string, before: string, value: string, at: number, all: string) => {
            if (KEPT.test(value)) return whole;
            const start = at + before.length;
            return before + blanked(all, start, start + value.length, PASSWORD, within);
          })
        : result,
    text,
  );
}
