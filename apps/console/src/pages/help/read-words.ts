export interface Word {
  readonly name: string;
  readonly meaning: string;
}

/** The words of `docs/user-glossary.md`: headings of the second level, each with one paragraph of plain text. */
export function readWords(page: string): readonly Word[] {
  return page
    .split(/^## /m)
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
