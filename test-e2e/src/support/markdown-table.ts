export type Cells = readonly (string | number | bigint | null)[];

/** The lines of a Markdown table; each row is one line, regardless of the content of its cells. */
export function markdownTable(header: Cells, rows: readonly Cells[]): readonly string[] {
  const line = (cells: Cells) => `| ${cells.map((cell) => inOneLine(String(cell))).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}

/** Makes a text fit into one line of Markdown, also inside a table. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
