/** One small change of a source file. */
export interface Mutation {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** Both lines, as a reader compares them. */
  readonly before: string;
  readonly after: string;
  /** Both files. */
  readonly text: string;
  readonly mutated: string;
}

/** What is written at a place of a file instead of what stands there. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function mutationOf(file: string, text: string, replacement: Replacement): Mutation {
  const { start, end } = replacement;
  const mutated = text.slice(0, start) + replacement.text + text.slice(end);
  const line = text.slice(0, start).split('\n').length;
  const lineOf = (content: string) => content.split('\n')[line - 1]?.trim() ?? '';
  return { file, line, text, mutated, before: lineOf(text), after: lineOf(mutated) };
}
