type Mutant = { file: string; start: number; end: number; text: string };
export class Killed {
  constructor(folder?: string);
  killer(mutant: Mutant): string | undefined;
  add(mutant: Mutant, killer: string): void;
  save(): void;
}
