/**
 * Which part of a word is secret: all of it, what is attached to the option but never the next word, what follows a
 * user name, the value of a header or cookie, or a password before a host.
 */
export type Part = "whole" | "attached" | "after-user" | "header" | "cookie" | "before-host";

/** Where a program takes secrets on its command line. */
export type Taking = {
  options: Readonly<Record<string, Part>>;
  /** Options that take a value: in a bundle (`-sSu`) nothing after one is an option. */
  valued?: string;
  /** Only after this verb. */
  verb?: RegExp;
  /** Words after which the next one is secret, case-insensitively. */
  before?: RegExp;
  /** Options with which the last word is secret. */
  last?: RegExp;
  operands?: Part;
  /** For common programs: a text that does not match contains no secret for them. */
  hint?: RegExp;
  /** Its input is secret if one of its words matches this; an empty pattern means always. */
  reads?: RegExp;
};

const all = (part: Part, names: string): Record<string, Part> =>
  Object.fromEntries(names.split(" ").map((name) => [name, part]));

const CURL: Taking = {
  options: {
    ...all("after-user", "-u -U -E -a --user --proxy-user --cert --proxy-cert --auth"),
    ...all("header", "-H --header --proxy-header"),
    ...all("cookie", "-b --cookie"),
    ...all("before-host", "-x --proxy --preproxy"),
    ...all("whole", "--bearer"),
  },
  valued: "ACDFKPQTXYcdemortwyz",
  operands: "header",
};
const WGET: Taking = { options: all("header", "--header") };
const LOGIN: Taking = {
  options: all("whole", "-p"),
  verb: /^(?:login|auth)$/,
  hint: /login|auth/,
  reads: /^--(?:password|pass|token)-stdin$/,
};
const MYSQL: Taking = { options: all("attached", "-p"), operands: "before-host", before: /^password$/ };
const MONGO: Taking = { options: all("whole", "-p") };
const REDIS: Taking = { options: all("whole", "-a --requirepass --masterauth"), before: /^(?:auth|requirepass)$/ };
const LDAP: Taking = { options: all("whole", "-w"), valued: "DHSTUbefhps" };
const ARCHIVE: Taking = { options: all("attached", "-p -hp") };
const UPPER_P: Taking = { options: all("whole", "-P") };
const LOWER_P: Taking = { options: all("whole", "-p") };
const USED_KEY: Taking = { options: all("whole", "-storepass -keypass -srcstorepass -deststorepass -destkeypass") };
const SET: Taking = {
  options: {},
  hint: /auth|_password/i,
  before: /(?:^|[:._])(?:_?auth(?:token)?|_password|npmauthtoken|pypi-token\..+)$/,
};

const listed = (names: string, taking: Taking): [string, Taking][] => names.split(" ").map((name) => [name, taking]);

/** Programs that take a secret on their command line. Names that are ordinary words are not listed. */
export const TAKING: ReadonlyMap<string, Taking> = new Map<string, Taking>([
  ...listed("curl http https xh xhs aria2c hey", CURL),
  ["wget", WGET],
  ["ab", { options: all("after-user", "-A -P") }],
  ...listed("docker podman buildah skopeo nerdctl oras crane helm az oc", LOGIN),
  ...listed("mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlcheck mysqlslap mysqlshow mysqlsh", MYSQL),
  ...listed("mariadb mariadb-dump mariadb-admin mariadb-check", MYSQL),
  ["mycli", { options: all("whole", "-p") }],
  ...listed("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", MONGO),
  ...listed("redis-cli valkey-cli redis-server valkey-server", REDIS),
  ["sshpass", LOWER_P],
  ...listed("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd", LDAP),
  ...listed("zip unzip", UPPER_P),
  ...listed("7z 7za 7zr 7zz rar unrar", ARCHIVE),
  ...listed("sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub", UPPER_P),
  ...listed("twine cqlsh rabbitmqadmin ncftpput ncftpget rdesktop", LOWER_P),
  ...listed("useradd usermod", LOWER_P),
  ["openssl", { options: all("whole", "-k -K -hmac"), verb: /^(?:enc|dgst)$/ }],
  ["ssh-keygen", { options: all("whole", "-N -P") }],
  ...listed("keytool jarsigner", USED_KEY),
  ["qpdf", { options: {}, before: /^--encrypt$/ }],
  ["pdftk", { options: {}, before: /^(?:user_pw|owner_pw|input_pw)$/ }],
  ["smbclient", { options: all("after-user", "-U --user") }],
  ["lftp", { options: all("after-user", "-u") }],
  ["sqlplus", { options: {}, operands: "after-user" }],
  ["sftp", { options: {}, operands: "before-host" }],
  ["snmpwalk", { options: all("whole", "-A -X -c") }],
  ["snmpget", { options: all("whole", "-A -X -c") }],
  ["xfreerdp", { options: {}, operands: "after-user" }],
  ["htpasswd", { options: {}, last: /^-[a-zA-Z]*b/ }],
  ["rabbitmqctl", { options: {}, last: /^(?:add_user|change_password)$/ }],
  ["wpa_passphrase", { options: {}, last: /^/ }],
  ["nmcli", { options: {}, before: /^password$/ }],
  ["vault", { options: {}, verb: /^login$/, last: /^login$/ }],
  ["cargo", { options: {}, hint: /login/, verb: /^login$/, last: /^login$/ }],
  ["ngrok", { options: {}, before: /^(?:add-)?authtoken$/ }],
  ["doctl", { options: all("whole", "-t") }],
  ["vercel", { options: all("whole", "-t") }],
  ["swaks", { options: all("whole", "-ap") }],
  ...listed("npm yarn pnpm", SET),
  ["poetry", { options: {}, before: /^pypi-token\..+$/, last: /^http-basic\..+$/ }],
  ["composer", { options: {}, last: /^http-basic\..+$/ }],
  ["rclone", { options: {}, before: /(?:secret_access_key|pass)$/ }],
  [
    "aws",
    { options: all("whole", "--secret-string"), before: /^aws_(?:secret_access_key|session_token|access_key_id)$/ },
  ],
  ["gh", { options: all("whole", "-b --body"), verb: /^secret$|^auth$/, reads: /^--with-token$/ }],
  ["sudo", { options: {}, hint: /-[a-zA-RT-Z]{0,8}S|--stdin/, reads: /^-[a-zA-RT-Z]*S[a-z]*$|^--stdin$/ }],
  ["chpasswd", { options: {}, reads: /^/ }],
  // `last` is for `openssl passwd -6`
  ["passwd", { options: {}, reads: /^--stdin$/, last: /^-(?:1|5|6|apr1|crypt)$/ }],
  ["kubectl", { options: all("cookie", "--from-literal") }],
  ...listed("fly flyctl heroku", { options: {}, verb: /^(?:secrets|config:set)$/, operands: "cookie" }),
  ...listed("su kinit", { options: {}, reads: /^<<</ }),
]);
