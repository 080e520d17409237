const SHOWN_EXAMPLES = 3;
const EXAMPLE_LENGTH = 160;

/** Answers by kind, such as `execute 400`, with some example texts of each. */
export interface CountedAnswers {
  readonly counts: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

/** Counts the answers that a client received. */
export class Answers {
  readonly #counts = new Map<string, number>();
  readonly #examples = new Map<string, string[]>();

  note(kind: string, text = ''): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const example = withoutNumbers(text).slice(0, EXAMPLE_LENGTH);
    const known = this.#examples.get(kind) ?? [];
    if (example === '' || known.length >= SHOWN_EXAMPLES || known.includes(example)) return;
    this.#examples.set(kind, [...known, example]);
  }

  counted(): CountedAnswers {
    return {
      counts: Object.fromEntries([...this.#counts].sort()),
      examples: Object.fromEntries([...this.#examples].sort()),
    };
  }
}

/** Texts that differ only in ids, digests and numbers count as one example. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/0x[0-9a-f]+/g, '0x…')
    .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{40,}\b/g, '…')
    .replaceAll(/\d{3,}/g, '…')
    .trim();
}
