import fs from "node:fs";
import path from "node:path";
import { trustedProgram } from "../process/trusted-program.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Known locations: the program itself where the one on the path is a wrapper script, and where macOS installs it. */
const PLACES = [
  "/usr/lib/chromium/chromium",
  "/usr/lib64/chromium-browser/chromium-browser",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The system's Chromium or Chrome, else Playwright's download. Never taken from the environment or workspace. */
export function findChromium(downloaded: () => string): string | undefined {
  const there = PLACES.find((file) => isProgram(file));
  if (there) return there;
  for (const name of NAMES) {
    const found = trustedProgram(name);
    // snap's is a script that installs something else, or that runs where our sandbox cannot hold it
    if (found && !fs.realpathSync(found).includes("/snap")) return found;
  }
  try {
    const own = downloaded();
    return isProgram(own) ? own : undefined;
  } catch {
    return undefined;
  }
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Features of Chromium that contact servers by themselves, or that bypass the proxy. */
const FEATURES = [
  ...["AimEnabled", "AsyncDns", "AutofillServerCommunication", "CertificateTransparencyComponentUpdater"],
  ...["DestroyProfileOnBrowserClose", "DialMediaRouteProvider", "DnsHttpsSvcb", "HttpsFirstBalancedModeAutoEnable"],
  ...["HttpsUpgrades", "InterestFeedContentSuggestions", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying"],
  ...["OptimizationHints", "OptimizationGuideModelDownloading", "PaintHolding", "PreconnectToSearch", "Prerender2"],
  ...["PrivacySandboxSettings4", "SafeBrowsingOnUIThread", "SegmentationPlatform", "Translate", "WebTransport"],
];

const FLAGS = [
  ...["--headless", "--hide-scrollbars", "--mute-audio", "--no-first-run", "--no-default-browser-check"],
  ...["--disable-background-networking", "--disable-breakpad", "--disable-client-side-phishing-detection"],
  ...["--disable-component-update", "--disable-component-extensions-with-background-pages", "--disable-default-apps"],
  ...[
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
  ],
  ...["--disable-gpu", "--disable-hang-monitor", "--disable-popup-blocking", "--disable-prompt-on-repost"],
  ...[
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--deny-permission-prompts",
    "--metrics-recording-only",
  ],
  ...["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"],
  ...["--disable-renderer-backgrounding", "--disable-back-forward-cache", "--force-color-profile=srgb"],
  ...["--no-pings", "--no-service-autorun", "--password-store=basic", "--use-mock-keychain"],
  ...["--disable-quic", "--dns-prefetch-disable", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"],
  `--disable-features=${FEATURES.join(",")}`,
  "--js-flags=--max-old-space-size=1024",
  ...["--remote-debugging-pipe", "--no-startup-window"],
];

/** All traffic goes to the proxy, loopback included, and the browser resolves no names itself. */
export const flagsOf = (setting: { proxyPort: number; profile: string; ownSandbox: boolean }): string[] => [
  ...FLAGS,
  `--proxy-server=http://127.0.0.1:${setting.proxyPort}`,
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  `--user-data-dir=${setting.profile}`,
  ...(setting.ownSandbox ? [] : ["--no-sandbox"]),
];

/** What a browser has to see: programs, libraries, fonts, certificates. No home, no workspace, little of /etc. */
const SEEN = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/run/current-system/sw"],
  ...["fonts", "ssl", "pki", "chromium", "opt/chrome", "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"].map(
    (name) => `/etc/${name}`,
  ),
];

function shown(file: string): string[] {
  try {
    return fs.lstatSync(file).isSymbolicLink() ? ["--symlink", fs.readlinkSync(file), file] : ["--ro-bind", file, file];
  } catch {
    return [];
  }
}

/** Arguments for bubblewrap: separate namespaces, no network, only its own files, and it dies with us. */
export const wall = (program: string, node: string, folder: string): string[] => [
  ...["--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
  ...["--uid", "1000", "--gid", "1000"],
  ...SEEN.flatMap(shown),
  ...[path.dirname(fs.realpathSync(program)), fs.realpathSync(node)]
    .filter((file) => !SEEN.some((folderSeen) => file.startsWith(`${folderSeen}/`)))
    .flatMap((file) => ["--ro-bind", file, file]),
  ...["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", folder, folder, "--chdir", "/tmp"],
  ...["--setenv", "HOME", "/tmp", "--"],
];
