import type { Row } from './row.js';

/** The rows as a Markdown table. */
export function rowsAsMarkdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, value, unit, reference, ratio, target, isMet = true }) => [
    what,
    `${showNumber(value)} ${unit}`,
    ratio?.toFixed(2),
    reference,
    target,
    isMet ? 'yes' : 'no',
  ]);
  const header = ['what', 'measured', 'ratio', 'reference in the same run', 'target', 'met'];
  return [header, header.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function showNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}
