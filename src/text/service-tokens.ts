// a token may follow an escaped line break, whose letter is not part of it
export const START = String.raw`(?:(?<![\w-])|(?<=\\[nrtbf]))`;

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Letters and digits, not all of them small letters: names in code have words between their underscores. */
const mixed = (least: number, most = 512): string =>
  `(?=[a-z]{0,64}[A-Z\\d])[A-Za-z0-9]{${least},${most}}(?![A-Za-z0-9])`;
/** The same with hyphens and underscores. */
const any = (least: number, most = 2048): string => `(?=[a-z_-]{0,64}[A-Z\\d])[\\w-]{${least},${most}}`;
const hex = (length: number): string => `[0-9a-f]{${length}}(?![0-9A-Za-z])`;

/** How the tokens of services begin, and what follows. Repetitions are bounded, as the engine's stack is. */
const SERVICES: readonly (readonly [service: string, ...patterns: string[]])[] = [
  ["GitLab", `gl(?:dt|rt|ptt|oas|agent|soat|ft|imt|ffct|wt)-${any(16)}`, `glcbt-[0-9a-f]{1,5}_${any(16)}`],
  ["Slack", `xapp-\\d-${any(16)}`, `xoxe\\.xox[a-z]-\\d-${any(16)}`],
  ["Stripe", `whsec_${mixed(24)}`, `sk_org_(?:live|test)_${mixed(16)}`],
  ["PyPI", `pypi-AgE[\\w-]{40,2048}`],
  ["OpenAI", `sk-None-${any(20)}`],
  ["Google", `GOCSPX-[\\w-]{28}`, `ya29\\.${any(30)}`, `1//0${any(30)}`],
  ["DigitalOcean", `do[opr]_v1_${hex(64)}`],
  ["Heroku", `HRKU-${any(30)}`],
  ["Twilio", `SK${hex(32)}`],
  ["SendGrid", "SG\\.[\\w-]{20,24}\\.[\\w-]{39,50}"],
  ["Mailgun", `key-${hex(32)}`],
  ["Mailchimp", "[0-9a-f]{32}-us\\d{1,2}(?!\\w)"],
  ["Shopify", `shp(?:at|ca|pa|ss|tka|ua)_${hex(32)}`],
  ["Square", `sq0[a-z]{3}-[\\w-]{22,43}`, "EAAA[\\w-]{60,64}(?![\\w+/=-])"],
  ["Telegram", "\\d{8,10}:AA[\\w-]{33}(?![\\w-])"],
  ["Discord", "(?=[\\w-]{0,24}\\d)[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])"],
  ["Hugging Face", `hf_${mixed(30, 40)}`],
  ["Databricks", `dapi${hex(32)}`, `dapi[0-9a-f]{32}-\\d(?!\\w)`],
  ["New Relic", `NR(?:AK|AA|RA|II|JS|SI)-${any(19, 40)}`, "[0-9a-f]{36}NRAL(?!\\w)"],
  ["Linear", `lin_(?:api|oauth)_${mixed(32, 64)}`],
  ["Notion", `secret_${mixed(43, 43)}`, `ntn_${mixed(40, 50)}`],
  ["Figma", `fig[dou]r?_${any(40)}`],
  ["Postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"],
  ["Vault", `hv[sbr]\\.${any(24)}`, "s\\.(?=[A-Za-z]{0,24}\\d)(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?![\\w.(])"],
  ["Doppler", `dp\\.(?:pt|ct|sa|scim|audit)\\.${mixed(40, 44)}`, `dp\\.st\\.(?:[\\w-]{2,35}\\.)?${mixed(40, 44)}`],
  ["Fly", `fo1_${any(40)}`, `fm[12][ar]?_(?=[A-Za-z+/=_-]{0,64}\\d)[\\w+/=-]{60,4096}`],
  ["Supabase", `sbp_(?:oauth_)?${hex(40)}`, `sb_secret_${any(20, 64)}`],
  ["PlanetScale", `pscale_(?:tkn|pw|oauth)_(?=[A-Za-z_.=-]{0,43}\\d)[\\w.=-]{32,64}`],
  ["Cloudflare", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,200}"],
  ["Sentry", `sntrys_eyJ[\\w+/=-]{40,1024}`, `sntryu_${hex(64)}`],
  ["Grafana", "glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}", "glc_eyJ[\\w+/=-]{30,1024}"],
  ["Atlassian", "AT[AC]TT3[\\w=-]{60,512}", `ATBB${mixed(32, 32)}`],
  ["Airtable", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
  ["Asana", `[012]/\\d{14,20}:${hex(32)}`],
  ["Dropbox", `sl\\.(?:u\\.)?(?=[A-Za-z_-]{0,64}\\d)[\\w-]{100,2048}`],
  ["Duffel", `duffel_(?:test|live)_${any(43, 43)}`],
  ["EasyPost", `EZ[AT]K${mixed(54, 54)}`],
  ["Flutterwave", "FLW(?:PUB|SEC)K(?:_TEST)?-[0-9a-h]{12,34}-X"],
  ["Frame", `fio-u-${any(60, 70)}`],
  ["Replicate", `r8_${mixed(37, 40)}`],
  ["Groq", `gsk_${mixed(40, 64)}`],
  ["Perplexity", `pplx-${mixed(40, 64)}`],
  ["xAI", `xai-${mixed(60, 128)}`],
  ["Terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,128}"],
  ["Pulumi", `pul-${hex(40)}`],
  ["Prefect", `pn[bu]_${mixed(36, 36)}`],
  ["RubyGems", `rubygems_${hex(48)}`],
  ["Docker", `dckr_(?:pat|oat)_${any(24, 64)}`],
  ["ReadMe", `rdme_[0-9a-z]{70}`],
  ["Brevo", "x(?:keysib|smtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}"],
  ["Tailscale", `tskey-[a-z]{3,12}-${any(20, 128)}`],
  ["Typeform", `tfp_(?=[A-Za-z_.=-]{0,59}\\d)[\\w.=-]{59}`],
  ["Snyk", `snyk_[us]at\\.[\\w.-]{20,128}`],
  ["Sonar", `sq[apu]_${hex(40)}`],
  ["Clojars", `CLOJARS_[0-9a-z]{60}`],
  ["age", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"],
  ["Adafruit", `aio_${mixed(28, 28)}`],
  ["Contentful", `CFPAT-${any(43, 43)}`],
  ["HubSpot", `pat-(?:na|eu)\\d-${UUID}`],
  ["LaunchDarkly", `(?:sdk|api)-${UUID}`],
  ["Intercom", "dG9rOj[A-Za-z0-9+/=]{40,128}"],
  ["Braintree", "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}"],
  ["Razorpay", `rzp_(?:live|test)_${mixed(14, 14)}`],
  ["Vercel", `vc[pkiar]_${mixed(24, 64)}`],
  ["Netlify", `nf[pcoub]_${mixed(36, 64)}`],
  ["Render", `rnd_${mixed(28, 40)}`],
  ["Resend", `re_[A-Za-z0-9]{8}_${mixed(24, 24)}`],
  ["NVIDIA", `nvapi-${any(60, 80)}`],
  ["Pinecone", `pcsk_[A-Za-z0-9]{5,6}_${mixed(50, 70)}`],
  ["LangSmith", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"],
  ["Tavily", `tvly-(?:dev-|prod-)?${mixed(28, 40)}`],
  ["ElevenLabs", `sk_${hex(48)}`],
  ["PostHog", `ph[xs]_${mixed(40, 64)}`],
  ["Mapbox", "sk\\.eyJ[\\w-]{40,256}\\.[\\w-]{20,32}"],
  ["Sourcegraph", `sgp_(?:[0-9a-f]{16}_|local_)?${hex(40)}`],
  ["JFrog", `AKCp${mixed(60, 80)}`],
  ["Buildkite", `bk(?:ua|aj|ct)_${hex(40)}`],
  ["CircleCI", "CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}"],
  ["Infracost", `ico-${mixed(32, 32)}`],
  ["Shippo", `shippo_(?:live|test)_${hex(40)}`],
  ["Lob", `(?:live|test)_${hex(35)}`],
  ["Yandex", `y[0-3]_(?=[A-Za-z_-]{0,50}\\d)[\\w-]{50,80}`],
  ["Azure", "[\\w.-]{3}[78]Q~[\\w.~-]{31,34}(?![\\w~-])"],
];

const KINDS = SERVICES.flatMap(([service, ...patterns]) =>
  patterns.map((pattern) => ({ kind: `${service} token`, pattern: new RegExp(`^(?:${pattern})`) })),
);
const SHORTEST = 20;
const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || code === 45;

/** Every token has a long word in it, and most texts have none. Looks at few characters of those. */
function hasLongWord(text: string): boolean {
  for (let index = SHORTEST - 1; index < text.length; index += SHORTEST) {
    if (!isOfWord(text.charCodeAt(index))) continue;
    let start = index;
    while (start > 0 && isOfWord(text.charCodeAt(start - 1))) start--;
    while (isOfWord(text.charCodeAt(index + 1))) index++;
    if (index - start + 1 >= SHORTEST) return true;
  }
  return false;
}

const ANY = new RegExp(
  `${START}(?=[\\w.:/~$-]{20})(?:${SERVICES.flatMap(([, ...patterns]) => patterns).join("|")})`,
  "g",
);

/** Addresses that let anybody who knows them act. */
const ADDRESS =
  /(?<=api\.telegram\.org\/(?:file\/)?bot)\d{8,10}:[\w-]{35}|(?<=discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/)[\w-]{40,128}|(?<=\.webhook\.office\.com\/webhookb2\/)[\w@/-]{30,256}|(?<=hooks\.zapier\.com\/hooks\/catch\/)[\w/]{8,64}/g;

const serviceOf = (token: string): string => KINDS.find(({ pattern }) => pattern.test(token))?.kind ?? "token";

/** Replaces tokens that are known by their beginning, and addresses that are secrets themselves. */
export function redactServiceTokens(text: string): string {
  const result = hasLongWord(text) ? text.replace(ANY, (token) => `[redacted ${serviceOf(token)}]`) : text;
  return result.includes("://") ? result.replace(ADDRESS, "[redacted token]") : result;
}
