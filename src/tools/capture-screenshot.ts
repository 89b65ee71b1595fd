import * as z from "zod";
import { Tool } from "../core/words/tool.ts";
import { attachPicture, pageAddress, pageShown, pictureNote } from "./lib/page-shown.ts";

const input = () =>
  z.object({
    url: z.string(),
    delay_ms: z.int().min(0).max(30_000).describe("Wait after loading").optional(),
    full_page: z.boolean().optional(),
    width: z.int().min(200).max(2_560).optional(),
    height: z.int().min(200).max(2_560).optional(),
  });

export const captureScreenshot = Tool.define("capture_screenshot", {
  description: "Open a web page in a browser and take a picture of it, which you get to see.",
  permissions: { required: ["network"] },
  aliases: {
    names: ["screenshot", "take_screenshot", "browser_screenshot"],
    args: { delay_ms: ["delay", "wait_ms"], full_page: ["fullPage"] },
  },
  rare: ["width", "height"],
  get input() {
    return input();
  },
  timeLimit: 90_000,
  scope: () => null,
  touches: ({ url }) => [{ action: "fetch", url: pageAddress(url) }],
  async execute({ url, delay_ms = 1_000, full_page = false, width = 1_280, height = 800 }, context) {
    const wanted = { url: pageAddress(url), delayMs: delay_ms, width, height, fullPage: full_page };
    const report = await context.pages.capture(wanted);
    context.noteOutside();
    const { picture } = report;
    return {
      title: `Took a picture of ${report.url}`,
      output: [pageShown(report, context.hash), ...(picture ? [pictureNote(picture)] : [])].join("\n\n"),
      metadata: {
        url: report.url,
        title: report.title,
        ...(picture && {
          width: picture.width,
          height: picture.height,
          mime: picture.mime,
          bytes: picture.bytes.length,
        }),
      },
      ...(picture && { attachments: [attachPicture(picture)] }),
    };
  },
});
