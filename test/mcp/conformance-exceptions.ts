/** Checks of the official conformance suite that our server does not pass, each with the reason. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  "completion-complete": "No completions are offered: the only argument of a prompt is a task in free text.",
  "logging-set-level": "Logging is not offered; the protocol has deprecated it since 2026-07-28.",
  "tools-call-with-logging": "Logging is not offered; the protocol has deprecated it since 2026-07-28.",
  "tools-call-sampling": "Tools never use the client's model; the protocol has deprecated that since 2026-07-28.",
  "elicitation-sep1034-general":
    "Forms are our own, with fixed fields: a tool cannot bring one with the suite's defaults.",
  "elicitation-sep1330-general":
    "Forms are our own, with fixed fields: a tool cannot bring one with the suite's enums.",
  "resources-subscribe": "Subscriptions are not offered: a record does not change once it is written.",
  "resources-unsubscribe": "Subscriptions are not offered: a record does not change once it is written.",
  "sep-2575-server-rejects-undeclared-capability": "It wants a tool that uses the client's model, which none does.",
  "sep-2575-missing-capability-http-400": "It wants a tool that uses the client's model, which none does.",
  "sep-2322-elicitation-incomplete": "It wants the question under the key user_name; ours are numbered.",
  "sep-2322-sampling-incomplete": "Tools never use the client's model.",
  "sep-2322-list-roots-incomplete": "The workspace is what the server was started with, not what a client says.",
  "sep-2322-multiple-inputs-incomplete": "It wants questions of three kinds at once, two of which are never asked.",
  "sep-2322-non-tool-incomplete": "Prompts ask nothing.",
  "sep-2322-respect-client-capabilities": "It wants a question to the client's model, which is never asked.",
};
