import { estimateTokenCount } from "tokenx";

/** An estimate of a text's tokens. */
export const countTokens = (text: string): number => estimateTokenCount(text);
