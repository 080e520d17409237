import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkCodeBlocks } from './check-code-blocks.mjs';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.mjs';
import { findDeadReferences } from './find-dead-references.mjs';
import { listFiles } from './markdown.mjs';

const MAX_README_BYTES = 12_000;

/** Checks all Markdown: links, named paths and scripts, code blocks, the configuration page, the README's size. */
export async function checkDocs(root) {
  const problems = [];
  const files = listFiles(root);
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    const markdown = readFileSync(join(root, page), 'utf8');
    const found = [
      ...findDeadReferences(root, files, page, markdown),
      ...(await checkCodeBlocks(root, markdown)),
    ];
    problems.push(...found.map((problem) => `${page}: ${problem}`));
  }
  const configuration = readFileSync(join(root, CONFIGURATION_PAGE), 'utf8');
  if (configuration !== (await renderConfigurationPage(root))) {
    problems.push(`${CONFIGURATION_PAGE} is out of date: run npm run docs`);
  }
  const { size } = statSync(join(root, 'README.md'));
  if (size > MAX_README_BYTES) {
    problems.push(
      `README.md has ${size} bytes, more than ${MAX_README_BYTES}: move detail to docs/`,
    );
  }
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}
