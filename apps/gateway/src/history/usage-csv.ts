import type { UsageReport } from '@forecourt/contracts';

const FIGURES = ['transactions', 'failed', 'refused', 'gas'] as const;

/**
 * A report as CSV (RFC 4180), with the columns of its rows. Keys are quoted, and one that a spreadsheet would
 * compute as a formula begins with an apostrophe: names of tokens may begin with a minus.
 */
export function formatUsage({ group_by: keys, rows }: UsageReport): string {
  const heading = [...keys, ...FIGURES].join(',');
  const lines = rows.map((row) =>
    [...keys.map((key) => quote(row[key] ?? '')), ...FIGURES.map((figure) => row[figure])].join(
      ',',
    ),
  );
  return [heading, ...lines].map((line) => `${line}\r\n`).join('');
}

function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
