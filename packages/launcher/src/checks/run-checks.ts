import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_PAGE, renderConfigurationPage } from '../commands/configuration-page.js';
import { ROOT } from '../workspace/workspace-config.js';
import { checkFileNames } from './check-file-names.js';
import { checkGlossary } from './check-glossary.js';
import { checkPhrases } from './check-phrases.js';

const MAX_README_BYTES = 12_000;

async function checkPages(): Promise<string[]> {
  const problems: string[] = [];
  if (readFileSync(CONFIGURATION_PAGE, 'utf8') !== (await renderConfigurationPage())) {
    problems.push('docs/configuration.md is out of date: run npm run docs');
  }
  const { size } = statSync(join(ROOT, 'README.md'));
  if (size > MAX_README_BYTES) {
    problems.push(
      `README.md has ${size} bytes, more than ${MAX_README_BYTES}: move detail to docs/`,
    );
  }
  return problems;
}

const problems = [
  ...(await checkPages()),
  ...checkGlossary(ROOT),
  ...checkPhrases(ROOT),
  ...checkFileNames(ROOT),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
