export type Cells = readonly (string | number | bigint | null)[];

/** The lines of a Markdown table; each row is one line, whatever its cells contain. */
export function markdownTable(header: Cells, rows: readonly Cells[]): readonly string[] {
  const line = (cells: Cells) => `| ${cells.map((cell) => inOneLine(String(cell))).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}

/** A text for a line of Markdown, in a table too. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
