import { estimateTokenCount } from "tokenx";

/** About how many tokens a model pays for a text. */
export const countTokens = (text: string): number => estimateTokenCount(text);
