import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rowsAsMarkdown } from './print-rows.js';
import type { Row } from './row.js';

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

/**
 * Writes a table into `results/<name>.md` and `.json`. `script`: the one of npm that makes it; `note`: what its reader has
 * to know besides.
 */
export function writeResults(
  name: string,
  title: string,
  rows: readonly Row[],
  { script = `bench:${name}`, note = '' } = {},
): void {
  const made = `Made by \`npm run ${script} -- --write\`; every ratio is within one run. ${note}`;
  const table = rowsAsMarkdown(rows);
  writeFileSync(`${RESULTS}${name}.md`, `# ${title}\n\n${made.trimEnd()}\n\n${table}\n`);
  writeFileSync(`${RESULTS}${name}.json`, `${JSON.stringify(rows, null, 2)}\n`);
}
