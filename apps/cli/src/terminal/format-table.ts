/**
 * A text without the control characters that a terminal acts on: messages of the ledger, names and answers
 * come from others, and could move the cursor, hide what follows, or imitate the program's own output.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/**
 * Rows of cells as aligned columns; the first row is the heading. Columns of numbers are aligned to the
 * right.
 */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(plainText));
  const [heading = []] = rows;
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const isNumber = heading.map((_, column) =>
    rows.slice(1).every((row) => /^-?[\d.,]+( IOTA)?$/.test(row[column] ?? '')),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** JSON for programs, in one line; each `bigint` as a decimal string. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
}
