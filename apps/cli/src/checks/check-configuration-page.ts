import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { renderDocs } from '../clone/render-docs.js';
import { ROOT } from '../workspace/workspace-config.js';

for (const [file, text] of await renderDocs()) {
  if (readFileSync(file, 'utf8') === text) continue;
  process.stdout.write(`${relative(ROOT, file)} is out of date: run npm run docs\n`);
  process.exitCode = 1;
}
