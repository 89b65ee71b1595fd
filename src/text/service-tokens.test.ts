import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

/** Tokens are put together here, so that nobody takes them for real ones. */
const mixed = (length: number): string => "aB3dE5gH7jK9mN1pQ4sT6vX8z".repeat(Math.ceil(length / 25)).slice(0, length);
const hex = (length: number): string => "0123456789abcdef".repeat(Math.ceil(length / 16)).slice(0, length);
const uuid = [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-");

describe("tokens of services", () => {
  test.each<[service: string, start: string, ...rest: string[]]>([
    ["GitLab", "gldt-", mixed(20)],
    ["GitLab", "glptt-", hex(40)],
    ["GitLab", "glcbt-64_", mixed(20)],
    ["Slack", "xapp-1-", "A0123-4567-", hex(32)],
    ["Stripe", "whsec_", mixed(32)],
    ["PyPI", "pypi-", "AgE", mixed(60)],
    ["Google", "GOCSPX-", mixed(28)],
    ["Google", "ya29.", mixed(60)],
    ["DigitalOcean", "dop_v1_", hex(64)],
    ["Heroku", "HRKU-", mixed(36)],
    ["Twilio", "SK", hex(32)],
    ["SendGrid", "SG.", mixed(22), ".", mixed(43)],
    ["Mailgun", "key-", hex(32)],
    ["Mailchimp", hex(32), "-us12"],
    ["Shopify", "shpat_", hex(32)],
    ["Square", "sq0atp-", mixed(22)],
    ["Square", "EAAA", mixed(60)],
    ["Telegram", "123456789:", "AA", mixed(33)],
    ["Discord", "M", mixed(24), ".", mixed(6), ".", mixed(30)],
    ["Hugging Face", "hf_", mixed(34)],
    ["Databricks", "dapi", hex(32)],
    ["New Relic", "NRAK-", mixed(27)],
    ["Linear", "lin_api_", mixed(40)],
    ["Notion", "secret_", mixed(43)],
    ["Notion", "ntn_", mixed(46)],
    ["Figma", "figd_", mixed(40)],
    ["Postman", "PMAK-", hex(24), "-", hex(34)],
    ["Vault", "hvs.", mixed(90)],
    ["Vault", "s.", mixed(24)],
    ["Doppler", "dp.pt.", mixed(43)],
    ["Doppler", "dp.st.", "prd.", mixed(43)],
    ["Fly", "fo1_", mixed(43)],
    ["Supabase", "sbp_", hex(40)],
    ["PlanetScale", "pscale_tkn_", mixed(43)],
    ["Cloudflare", "v1.0-", hex(24), "-", hex(146)],
    ["Sentry", "sntryu_", hex(64)],
    ["Sentry", "sntrys_", "eyJ", mixed(80)],
    ["Grafana", "glsa_", mixed(32), "_", hex(8)],
    ["Atlassian", "ATATT3", mixed(100)],
    ["Airtable", "pat", mixed(14), ".", hex(64)],
    ["Asana", "1/", "1234567890123456:", hex(32)],
    ["Dropbox", "sl.", mixed(120)],
    ["Replicate", "r8_", mixed(37)],
    ["Groq", "gsk_", mixed(52)],
    ["Perplexity", "pplx-", mixed(48)],
    ["xAI", "xai-", mixed(80)],
    ["Terraform", mixed(14), ".atlasv1.", mixed(67)],
    ["Pulumi", "pul-", hex(40)],
    ["RubyGems", "rubygems_", hex(48)],
    ["Docker", "dckr_pat_", mixed(27)],
    ["Brevo", "xkeysib-", hex(64), "-", mixed(16)],
    ["Tailscale", "tskey-auth-", mixed(12), "-", mixed(32)],
    ["Snyk", "snyk_uat.", hex(40)],
    ["Sonar", "sqp_", hex(40)],
    ["HubSpot", "pat-na1-", uuid],
    ["LaunchDarkly", "sdk-", uuid],
    ["Braintree", "access_token$production$", hex(16), "$", hex(32)],
    ["Razorpay", "rzp_live_", mixed(14)],
    ["Vercel", "vcp_", mixed(52)],
    ["Netlify", "nfp_", mixed(36)],
    ["Resend", "re_", mixed(8), "_", mixed(24)],
    ["NVIDIA", "nvapi-", mixed(64)],
    ["LangSmith", "lsv2_pt_", hex(32), "_", hex(10)],
    ["ElevenLabs", "sk_", hex(48)],
    ["PostHog", "phx_", mixed(43)],
    ["Mapbox", "sk.eyJ", mixed(60), ".", mixed(22)],
    ["CircleCI", "CCIPAT_", mixed(22), "_", hex(40)],
    ["Azure", "aB3", "8Q~", mixed(34)],
  ])("%s: %s…", (service, ...parts) => {
    const token = parts.join("");
    const hidden = `[redacted ${service} token]`;
    expect(redact(`deploy ${token} now`)).toBe(`deploy ${hidden} now`);
    expect(redact(`"${token}"`)).toBe(`"${hidden}"`);
    expect(redact(`one\\n${token}`)).toBe(`one\\n${hidden}`);
    expect(redact(token.slice(0, 12)), "a beginning alone").toBe(token.slice(0, 12));
  });

  test.each([
    ["https://api.telegram.org/bot", `123456789:${mixed(35)}`, "/getMe"],
    ["https://discord.com/api/webhooks/1234567890123456789/", mixed(68), ""],
    ["https://a.webhook.office.com/webhookb2/", `${uuid}@${uuid}/IncomingWebhook/${hex(32)}`, ""],
    ["https://hooks.zapier.com/hooks/catch/", "1234567/abcdefg", ""],
  ])("an address with which anybody may act: %s", (start, secret, end) =>
    expect(redact(start + secret + end)).toBe(`${start}[redacted token]${end}`),
  );
});

test.each([
  `commit ${hex(40)}`,
  `id ${uuid}`,
  `sha256:${hex(64)}`,
  `"integrity": "sha512-${mixed(86)}=="`,
  `data:image/png;base64,iVBORw0KGgo${mixed(300)}`,
  `cache-key-${hex(32)}`,
  `ssh-rsa AAAAB3NzaC1yc2E${mixed(200)} me@host`,
  "re_escape_special_characters_everywhere",
  "hf_hub_download_of_a_whole_repository",
  "nfp_option_handler_for_netfilter_tables",
  "rnd_generator_state_of_the_world_module",
  "sl.some_long_module_name_that_is_ordinary",
  "live_reload_of_the_server_at_that_port",
  "hvs.something_longer_than_a_name_may_be",
  "risk-assessment-of-the-whole-company-2024",
  "pat_matching_of_things_with_long_names",
  "https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz",
  "npm_config_registry_of_this_workspace_is_set",
])("%s stays", (text) => expect(redact(text)).toBe(text));

const W = "hunter22x";
describe("passwords in SQL and in settings of databases", () => {
  test.each([
    "CREATE USER 'x'@'%' IDENTIFIED BY '…'",
    "ALTER ROLE app WITH PASSWORD '…'",
    "alter user app password '…';",
    "ALTER USER app VALID UNTIL 'infinity' PASSWORD '…'",
    "CREATE ROLE x LOGIN\n  ENCRYPTED PASSWORD '…'",
    "ALTER LOGIN sa WITH PASSWORD = N'…'",
    "ALTER USER a PASSWORD E'…'",
    "create role a password $$…$$",
    "create role a password $x$…$x$",
    "IDENTIFIED WITH mysql_native_password BY '…'",
    "SET PASSWORD FOR 'x'@'h' = '…'",
    "SET PASSWORD = PASSWORD('…')",
    "CREATE USER MAPPING FOR x SERVER s OPTIONS (user 'a', password '…')",
    'alter user x identified by "…" replace "…"',
    "CREATE USER u IDENTIFIED BY …;",
    `psql -c "ALTER ROLE app PASSWORD '…'"`,
    `run("CREATE USER u PASSWORD \\'…\\'")`,
    "requirepass …",
    "db.createUser({user: 'a', pwd: '…', roles: []})",
    "root:…@tcp(db:3306)/app",
  ])("%s", (text) => {
    const hidden = redact(text.replaceAll("…", W));
    expect(hidden).not.toContain(W);
    expect(hidden).toMatch(/\[redacted (?:password|credential)\]/);
  });

  test.each([
    "IDENTIFIED BY is a clause",
    "user identified by email",
    "header identified by `name`",
    "the password 'must be long' is a rule",
    "ALTER TABLE x ADD COLUMN password VARCHAR(64)",
    `ALTER USER app PASSWORD '\${PASSWORD}'`,
    "ALTER USER app PASSWORD '$1'",
    "CREATE USER app; echo 'password' 'x'",
    "select password from users where name = 'x'",
    "requirepass is a setting",
    "{ pwd: process.cwd() }",
    "rm -rf ${PWD:0:1}",
    "replace 'a' with 'b'",
    "user:password@tcp",
  ])("%s stays", (text) => expect(redact(text)).toBe(text));
});

test.each<[text: string, hidden: string]>([
  ["postgres:/app:hunter22x@db/x", "postgres:/app:[redacted password]@db/x"],
  ["C:/Users/a:b@c", "C:/Users/a:b@c"],
  ["see src:/a b:c@d", "see src:/a b:c@d"],
  [`Cookie: session=${mixed(20)}; theme=dark`, "Cookie: session=[redacted cookie]; theme=dark"],
  [
    `Set-Cookie: sid=${mixed(20)}; Path=/somewhere; HttpOnly`,
    "Set-Cookie: sid=[redacted cookie]; Path=/somewhere; HttpOnly",
  ],
  [`{"cookie": "sid=${mixed(20)}"}`, '{"cookie": "sid=[redacted cookie]"}'],
  [`Authorization: ${hex(32)}`, "Authorization: [redacted credential]"],
  [`Authorization: SSWS ${mixed(42)}`, "Authorization: SSWS [redacted credential]"],
  [`_auth=${mixed(24)}==`, "_auth=[redacted credential]"],
  [`SharedAccessSignature sr=x&sig=${mixed(40)}&se=1`, "SharedAccessSignature sr=x&sig=[redacted credential]&se=1"],
])("%s", (text, hidden) => expect(redact(text)).toBe(hidden));

test.each([
  "cookie: false",
  "the cookie: it is eaten",
  "Cookie: theme=dark",
  "Cookie: id=$SESSION_COOKIE",
  "authorization: required",
  "no_auth=1",
])("%s stays", (text) => expect(redact(text)).toBe(text));
