import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { lines } from "./cases/lines.ts";

const REFUSED = lines(String.raw`
  echo 'abcrm -rf /' | cut -c4- | sh
  echo 'abcrm -rf /' | cut --characters=4- | sh
  echo 'x:sudo id' | cut -d: -f2 | sh
  echo 'sudo:x:id' | cut -d : -f 1,3 --output-delimiter=' ' | sh
  echo 'Xrm -rf /' | sed s/^X// | sh
  echo 'Xrm -rf /' | sed -e 's/^X//' | sh
  echo 'rZm -Zrf /' | sed 's/Z//g' | bash
  echo 'ry -rf /x' | sed 's/y/m/;s/x$//' | bash
  echo 'ry -rf /' | sed y/y/m/ | bash
  echo | sed 's/.*/rm -rf \//' | sh
  echo x | sed 'c\rm -rf /' | sh
  echo 'rm -rf' | sed 's|f$|& /|' | sh
  echo 'X rm -rf /' | awk '{$1="";print}' | sh
  echo 'id sudo' | awk '{print $2, $1}' | sh
  echo 'id:sudo' | awk -F: '{print $2" "$1}' | sh
  echo 'rZm -rf /' | awk '{gsub("Z","");print}' | sh
  echo 'rZm -rf /' | perl -pe s/Z//g | sh
  printf '%s\n' rm -rf / | paste -sd' ' | sh
  printf '%s\n' sudo id | paste -s -d ' ' - | sh
  echo rm_-rf_/ | column -s_ -t | sh
  echo 'rm -rf /' | fold -w 80 | sh
  echo 'rm -rf /' | iconv -f utf8 -t ascii | sh
  echo OJWSALLSMYQC6=== | base32 -d | sh
  echo 726D202D7266202F | basenc --base16 -d | sh
  echo 'rm -rf /' | xxd -p | xxd -r -p | sh
  echo cm0gLXJmIC8= | python3 -c 'import sys,base64;print(base64.b64decode(sys.stdin.read()).decode())' | sh
  echo cm0gLXJmIC8= | jq -Rr @base64d | sh
  jq -nr '"cm0gLXJmIC8="|@base64d' | sh
  jq -nr '"rm"+" -rf /"' | sh
  echo 'print("rm -rf /")' | python3 | sh
  x=$(date '+rm -rf /'); eval "$x"
  x=$(python3 -c 'print("rm -rf /")'); eval "$x"
  python3 -c 'print("rm -rf /")' | while read -r l; do eval "$l"; done
  read -r l < <(python3 -c 'print("rm -rf /")'); eval "$l"
  mapfile -t a < <(python3 -c 'print("rm -rf /")'); eval "${"${a[0]}"}"
  python3 -c 'print("rm -rf /")' | xargs -I{} sh -c {}
  eval $(python3 -c 'print("rm -rf /")')
`);
test.each(REFUSED)("%s is refused", (line) => expect(analyse(line).class).toBe("blocked"));

const LET_PASS = lines(String.raw`
  echo 'abcls -la' | cut -c4- | sh
  echo 'rm -rf /:x' | cut -d: -f2 | sh
  echo 'sudo id' | sed 's/^sudo //' | sh
  echo 'sudo id' | awk '{print $2}' | sh
  echo 'sudo id' | cut -c6- | sh
  printf '%s\n' rm -rf x | paste -sd' ' | sh
  echo NRZSALLMME====== | base32 -d | sh
  echo bHM= | jq -Rr @base64d | sh
  x=$(python3 -c 'print("ls")'); eval "$x"
`);
test.each(LET_PASS)("%s is asked about", (line) => expect(analyse(line).class).toBe("dangerous"));

const HARMLESS = lines(`
  echo 'rm -rf /' | cut -c4-
  echo 'sudo id' | sed 's/^sudo //'
  echo 'sudo id' | awk '{print $2}' | sort
  cut -d: -f1 a.txt | sort | uniq -c
  grep -c sudo a | cut -d: -f2 | paste -sd+
`);
test.each(HARMLESS)("%s is harmless", (line) => expect(analyse(line).class).toBe("safe"));
