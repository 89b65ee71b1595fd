/**
 * What of a word is secret: all of it, what is attached to the option and never the next word, what follows the name
 * of a user, the value of a header or a cookie, or a password in front of a host.
 */
export type Part = "whole" | "attached" | "after-user" | "header" | "cookie" | "before-host";

/** Where a program takes secrets on its line. */
export type Taking = {
  options: Readonly<Record<string, Part>>;
  /** Letters that take a value: in a bundle (`-sSu`) nothing after one is an option. */
  valued?: string;
  /** No value is attached to an option, and none are bundled. */
  exact?: true;
  /** Only behind this verb. */
  verb?: RegExp;
  /** Words after which the next one is secret, in any case of letters. */
  before?: RegExp;
  /** The words behind a verb are secret from the nth on; one fewer comes before them with an option like `unless`. */
  operandsFrom?: { verb: RegExp; from: number; unless?: RegExp };
  operands?: Part;
  /** For programs of every day: a text without this has no secret for them. */
  hint?: RegExp;
  /** What it reads is secret where one of its words is like this; an empty one: always. */
  reads?: RegExp;
};

const all = (part: Part, names: string): Record<string, Part> =>
  Object.fromEntries(names.split(" ").map((name) => [name, part]));

const CURL: Taking = {
  options: {
    ...all("after-user", "-u -U -E -a --user --proxy-user --cert --proxy-cert --auth --tlsuser"),
    ...all("header", "-H --header --proxy-header"),
    ...all("cookie", "-b --cookie"),
    ...all("before-host", "-x --proxy --preproxy"),
    ...all("whole", "--bearer --pass --proxy-pass --tlspassword --oauth2-bearer"),
  },
  valued: "ACDFKPQTXYcdemortwyz",
  operands: "header",
  reads: /^-K-?$|^--config$/,
};
const WGET: Taking = { options: all("header", "--header") };
const LOGIN: Taking = {
  options: all("whole", "-p --password"),
  verb: /^(?:login|auth|secret)$/,
  hint: /login|auth|secret/,
  reads: /^--(?:password|pass|token)-stdin$|^secret$/,
};
const MYSQL: Taking = {
  options: all("attached", "-p --password"),
  valued: "hPSuDeVTWXYZR",
  operands: "before-host",
  before: /^password$/,
};
const MONGO: Taking = { options: all("whole", "-p --password") };
const REDIS: Taking = {
  options: all("whole", "-a --requirepass --masterauth --pass"),
  before: /^(?:auth|requirepass|masterauth)$/,
};
const LDAP: Taking = { options: all("whole", "-w -s"), valued: "DHSTUbefhp" };
const LDAP_SEARCH: Taking = { options: all("whole", "-w"), valued: "DHSTUbefhps" };
const ARCHIVE: Taking = { options: all("attached", "-p -hp") };
const ZIP: Taking = { options: all("whole", "-P"), valued: "bdnstx" };
const UPPER_P: Taking = { options: all("whole", "-P") };
const LOWER_P: Taking = { options: all("whole", "-p --password") };
const USED_KEY: Taking = { options: all("whole", "-storepass -keypass -srcstorepass -deststorepass -destkeypass") };
const SET: Taking = {
  options: {},
  hint: /auth|_password|login/i,
  before: /(?:^|[:._])(?:_?auth(?:token)?|_password|npmauthtoken|pypi-token\..+)$/,
  reads: /^(?:login|adduser)$/,
};
const READS: Taking = { options: {}, reads: /^/ };
const readsFor = (verb: RegExp): Taking => ({ options: {}, verb, reads: /^/ });
const SETTINGS: Taking = {
  options: {},
  verb: /^(?:secrets|config:set|variables|secret)$/,
  operands: "cookie",
  reads: /^put$/,
};
const from = (verb: RegExp, at: number, more: Partial<Taking> = {}): Taking => ({
  options: {},
  operandsFrom: { verb, from: at },
  ...more,
});

const listed = (names: string, taking: Taking): [string, Taking][] => names.split(" ").map((name) => [name, taking]);

/** Programs that take a secret on their line. Names that are words of every language are not here. */
export const TAKING: ReadonlyMap<string, Taking> = new Map<string, Taking>([
  ...listed("curl http https xh xhs aria2c hey", CURL),
  ["wget", WGET],
  ["ab", { options: all("after-user", "-A -P") }],
  ...listed("docker podman buildah skopeo nerdctl oras crane helm oc", LOGIN),
  [
    "az",
    {
      options: all("whole", "-p --password --value --account-key --sas-token --admin-password"),
      verb: /^(?:login|secret|storage|sql|keyvault)$/,
      hint: /login|secret|key|token|password/,
    },
  ],
  ...listed("mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlcheck mysqlslap mysqlshow mysqlsh", MYSQL),
  ...listed("mariadb mariadb-dump mariadb-admin mariadb-check", MYSQL),
  ["mycli", LOWER_P],
  ...listed("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", MONGO),
  ...listed("redis-cli valkey-cli redis-server valkey-server", REDIS),
  ["sshpass", { options: all("whole", "-p -f -d"), valued: "P", reads: /^-d$/ }],
  ...listed("ldapsearch ldapwhoami ldapcompare", LDAP_SEARCH),
  ...listed("ldapmodify ldapadd ldapdelete ldappasswd", LDAP),
  ...listed("zip unzip", ZIP),
  ...listed("7z 7za 7zr 7zz rar unrar", ARCHIVE),
  ...listed("sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub gpg-preset-passphrase", UPPER_P),
  ...listed("twine cqlsh cypher-shell rabbitmqadmin ncftp ncftpput ncftpget rdesktop hydra", LOWER_P),
  ...listed("useradd usermod", LOWER_P),
  [
    "openssl",
    {
      options: all("whole", "-k -K -hmac"),
      exact: true,
      verb: /^(?:enc|dgst|passwd|rsa|pkcs12|pkcs8|req|ec|genrsa|pkey|genpkey|smime|cms|s_client|x509)$/,
      reads: /^-?stdin$|^fd:\d$/,
    },
  ],
  ["ssh-keygen", { options: all("whole", "-N -P") }],
  ...listed("keytool jarsigner", USED_KEY),
  ["qpdf", { options: {}, before: /^--encrypt$/ }],
  ["pdftk", { options: {}, before: /^(?:user_pw|owner_pw|input_pw)$/ }],
  ...listed("pdftotext pdftoppm pdfinfo pdfimages", { options: all("whole", "-upw -opw") }),
  ["smbclient", { options: all("after-user", "-U --user"), operandsFrom: { verb: /^\/\//, from: 0 } }],
  ["lftp", { options: all("after-user", "-u") }],
  ["open", { options: all("after-user", "-u"), hint: /lftp/ }],
  ["sqlplus", { options: {}, operands: "after-user" }],
  ["sftp", { options: {}, operands: "before-host" }],
  ...listed("snmpwalk snmpget snmpset", { options: all("whole", "-A -X -c") }),
  ["xfreerdp", { options: {}, operands: "after-user" }],
  [
    "htpasswd",
    { options: {}, operandsFrom: { verb: /^-[a-zA-Z]*b/, from: 2, unless: /^-[a-zA-Z]*n/ }, reads: /^-[a-z]*i/ },
  ],
  ["rabbitmqctl", from(/^(?:add_user|change_password|authenticate_user)$/, 1)],
  ["wpa_passphrase", { options: {}, operandsFrom: { verb: /^[^-]/, from: 0 } }],
  ["nmcli", { options: {}, before: /^(?:password|.*\.psk|.*\.password)$/ }],
  ["iwconfig", { options: {}, before: /^key$/ }],
  ["vault", from(/^login$/, 0, { verb: /^(?:login|put|write|patch)$/, operands: "cookie" })],
  ["cargo", from(/^login$/, 0, { hint: /login/, verb: /^login$/ })],
  ["ngrok", { options: {}, before: /^(?:add-)?authtoken$/ }],
  ["tailscale", { options: all("whole", "--authkey --auth-key") }],
  ...listed("doctl codecov", { options: all("whole", "-t") }),
  ["vercel", { options: all("whole", "-t"), reads: /^env$/ }],
  ["swaks", { options: all("whole", "-ap") }],
  ["sendemail", { options: all("whole", "-xp") }],
  ...listed("npm yarn pnpm", SET),
  ["poetry", from(/^http-basic\..+$/, 1, { before: /^pypi-token\..+$/ })],
  ["composer", from(/^http-basic\..+$/, 1, { before: /^github-oauth\..+$/ })],
  ["bundle", { options: {}, verb: /^config$/, operands: "after-user" }],
  ["gem", { options: all("whole", "--key -k"), verb: /^(?:push|yank|owner)$/ }],
  ["nuget", { options: all("whole", "-k --api-key"), verb: /^(?:push|delete|add|sources)$/ }],
  ["user-secrets", from(/^set$/, 1)],
  ["rclone", from(/^obscure$/, 0, { before: /(?:secret_access_key|pass)$/ })],
  ["mc", from(/^(?:set|add)$/, 3, { verb: /^(?:alias|config)$/ })],
  [
    "aws",
    {
      options: all("whole", "--secret-string --value --password --master-user-password"),
      hint: /secret|configure|password|ssm|token|iam|rds/i,
      before: /^(?:[\w.-]+\.)?aws_(?:secret_access_key|session_token|access_key_id)$/,
      reads: /^configure$/,
    },
  ],
  ["gh", { options: all("whole", "-b --body"), verb: /^secret$|^auth$/, reads: /^--with-token$|^secret$/ }],
  [
    "glab",
    {
      options: all("whole", "-v --value -t --token"),
      verb: /^(?:variable|auth)$/,
      operandsFrom: { verb: /^set$/, from: 1 },
    },
  ],
  ["sudo", { options: {}, hint: /-[a-zA-RT-Z]{0,8}S|--stdin/, reads: /^-[a-zA-RT-Z]*S[a-z]*$|^--stdin$/ }],
  ...listed("chpasswd smbpasswd vncpasswd cryptsetup secret-tool lpass", READS),
  // the second is `openssl passwd -6`
  ["passwd", from(/^-(?:1|5|6|apr1|crypt)$/, 0, { reads: /^/ })],
  ["x11vnc", { options: all("whole", "-passwd") }],
  ["kubectl", { options: all("cookie", "--from-literal") }],
  ...listed("fly flyctl heroku railway supabase wrangler", SETTINGS),
  ["netlify", from(/^env:set$/, 1)],
  ["gcloud", { options: {}, verb: /^secrets$/, reads: /^--data-file=-$/ }],
  ["etcdctl", { options: all("after-user", "--user"), operandsFrom: { verb: /^put$/, from: 1 } }],
  ["consul", from(/^put$/, 1, { verb: /^kv$/ })],
  ["pulumi", from(/^set$/, 1, { verb: /^config$/, hint: /secret|pass|token|key/i })],
  ["ansible-vault", from(/^encrypt_string$/, 0)],
  ["neo4j-admin", from(/^set-initial-password$/, 0)],
  ...listed("wandb snyk", from(/^(?:login|auth)$/, 0)),
  ["twilio", from(/^login$/, 1)],
  ["bw", from(/^(?:unlock|login)$/, 0)],
  [
    "security",
    { options: all("whole", "-w -p"), verb: /^(?:add-.+-password|unlock-keychain|create-keychain|import)$/ },
  ],
  ["keyctl", from(/^(?:add|padd|update)$/, 2)],
  ["gitlab-runner", { options: all("whole", "-r --registration-token --token"), verb: /^register$/ }],
  ["travis", { options: {}, verb: /^encrypt$/, operands: "cookie" }],
  ["isql", from(/^[^-]/, 1)],
  ["gpg", { options: {}, hint: /passphrase/, reads: /^--passphrase-fd/ }],
  ["pass", { options: {}, verb: /^insert$/, hint: /insert/, reads: /^/ }],
  ["op", readsFor(/^signin$/)],
  ["hcloud", readsFor(/^context$/)],
  ["databricks", readsFor(/^configure$/)],
  ["age", readsFor(/^-p$/)],
  ["restic", { options: all("whole", "-p") }],
  ...listed("su kinit", READS),
]);
