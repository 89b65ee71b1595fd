import { appendFile, writeFile } from "node:fs/promises";
import type { Model } from "../../../crew.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";

/** The model that is meant, if one is named. */
export async function modelOf({ values }: Invocation): Promise<Model | undefined> {
  const named = values.model ?? process.env.TOOLGATE_MODEL;
  if (named === undefined) return undefined;
  const { modelNamed } = await import("../../../crew.ts");
  const model = await modelNamed(named, {
    ...(values["base-url"] && { baseUrl: values["base-url"] }),
    env: process.env,
  }).catch((error: Error) => {
    throw new UsageFailure(error.message, "`toolgate run --help` shows how a model is named.");
  });
  return values.record ? recorded(model, values.record) : model;
}

/** Writes what the model says to a script, which plays it again. */
async function recorded(model: Model, file: string): Promise<Model> {
  const { scriptLine, taskIn } = await import("../../../crew.ts");
  await writeFile(file, "", { flag: "wx" }).catch((error: { code?: string }) => {
    throw new UsageFailure(`${file} cannot be written (${error.code}).`, "Give a file that does not exist yet.");
  });
  let lead: string | undefined;
  return {
    name: model.name,
    async turn(request) {
      lead ??= request.session;
      const turn = await model.turn(request);
      await appendFile(file, scriptLine(turn, request.session === lead ? undefined : taskIn(request.messages)));
      return turn;
    },
  };
}
