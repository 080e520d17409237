/** One small change of a source file. */
export interface Mutation {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  /** The line before and after, for human readers. */
  readonly before: string;
  readonly after: string;
  /** The complete file before and after. */
  readonly text: string;
  readonly mutated: string;
}

/** A place in a file and the text that replaces it. */
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
