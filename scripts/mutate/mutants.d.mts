export function mutantsOf(file: string, source?: string): { key: string }[];
