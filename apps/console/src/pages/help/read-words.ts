export interface Word {
  readonly name: string;
  readonly meaning: string;
}

/**
 * The section "Words" of `docs/console.md`: headings of the third level, each with one paragraph of plain
 * text.
 */
export function readWords(page: string): readonly Word[] {
  const [, words = ''] = page.split(/^## Words$/m);
  return words
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [name = '', ...rest] = section.trim().split('\n');
      return { name, meaning: rest.join(' ').trim() };
    });
}

/** The part of an address that leads to a word, as in the documentation: `gas-coin`. */
export function anchorOf({ name }: Word): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
