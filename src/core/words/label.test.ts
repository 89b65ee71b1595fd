import { expect, test } from "vitest";
import { redact } from "../../text/redact.ts";
import { labelOf } from "./label.ts";

test.each(
  `validate-secrets secret passwords db_password passwd passphrase secret_key SECRET_KEY_BASE api-token access_key apiKey
  private-key accountkey credentials aws-credential connection-string`.split(/\s+/),
)("after %s a text is not taken for a secret", (name) => {
  const line = (label: string) => `Refused by ${label}: x9-k2`;
  expect(redact(line(name)), "it would be").not.toBe(line(name));
  expect(redact(line(labelOf(name)))).toBe(line(labelOf(name)));
  const said = `Refused by ${labelOf(name)}: api_key=x9-k2-77`;
  expect(redact(said), "a secret in the text is").not.toContain("x9-k2-77");
});

test.each(["lint", "guard", "secrets-check", "token2"])("%s stays as it is", (name) => {
  expect(labelOf(name)).toBe(name);
});
