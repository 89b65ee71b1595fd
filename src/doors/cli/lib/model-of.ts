import { appendFile, writeFile } from "node:fs/promises";
import type { Model } from "../../../crew.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { workspaceOf } from "./opening.ts";

/** The model to use, if one is named: by options, else the environment, else the configuration. */
export async function modelOf(invocation: Invocation): Promise<Model | undefined> {
  const { values } = invocation;
  const { chosenModel, modelNamed } = await import("../../../crew.ts");
  const { readConfig } = await import("../../../doctor.ts");
  const { model: named, "base-url": baseUrl, "api-key-env": keyVariable, config } = values;
  const said = { ...(named && { model: named }), ...(baseUrl && { baseUrl }), ...(keyVariable && { keyVariable }) };
  const { settings } = await readConfig({ workspace: workspaceOf(invocation), ...(config && { config }) });
  const chosen = chosenModel(said, process.env, settings.model);
  if (chosen === undefined) return undefined;
  const model = await modelNamed(chosen.named, chosen.settings).catch((error: Error) => {
    throw new UsageFailure(error.message, "`toolgate run --help` shows how a model is named.");
  });
  return values.record ? recorded(model, values.record) : model;
}

/** Records the model's turns to a script, which can replay them. */
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
