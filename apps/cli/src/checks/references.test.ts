import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../workspace/workspace-config.js';

const folder = mkdtempSync(join(tmpdir(), 'forecourt-docs-'));
const REMARK = join(ROOT, 'node_modules', 'remark-cli', 'cli.js');
const moduleOf = (path: string) => JSON.stringify(join(ROOT, path));

/** The plugins of .remarkrc.js, for the pages of another folder. */
const CONFIG = `
import gfm from ${moduleOf('node_modules/remark-gfm/index.js')};
import links from ${moduleOf('node_modules/remark-validate-links/index.js')};
import { checkCodeBlocks } from ${moduleOf('apps/cli/dist/checks/code-blocks.js')};
import { checkReferences } from ${moduleOf('apps/cli/dist/checks/references.js')};
const root = ${JSON.stringify(folder)};
export default {
  plugins: [gfm, [links, { repository: false, root }], checkCodeBlocks, [checkReferences, { root }]],
};
`;

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "scripts": { "start": "node start.mjs" } }');
  writeFileSync(join(folder, '.remarkrc.mjs'), CONFIG);
  writeFileSync(join(folder, 'other.md'), '# Heading here\n');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'a.test.ts'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The messages of remark about a page, without their places. */
async function check(blocks: readonly string[]): Promise<string[]> {
  writeFileSync(join(folder, 'page.md'), blocks.join('\n\n'));
  const args = [REMARK, '.', '--frail', '--quiet', '--no-stdout', '--no-color'];
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { cwd: folder }, (_error, _stdout, stderr) => resolve(stderr)),
  );
  return [...output.matchAll(/^\s*\d+:\d+-\d+:\d+\s+warning\s+(.*)$/gm)].map(
    ([, message]) => message!,
  );
}

const codeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

describe('the checks of pages', () => {
  it('report references to what does not exist', async () => {
    const messages = await check([
      '[a](missing-page.md)',
      '[a](titled.md "A title")',
      '[a][b]',
      '[b]: defined.md',
      '[a](other.md#nowhere)',
      '[a](#missing)',
      '`docs/nowhere.md`',
      '`nowhere.test.ts`',
      '`npm run nowhere`',
      '<img src="nowhere.png">',
      codeBlock('tree', 'src/\n  b.ts  a note'),
    ]);
    const expected = [
      'Cannot find file `missing-page.md`',
      'Cannot find file `titled.md`',
      'Cannot find file `defined.md`',
      'Cannot find heading for `#nowhere` in `other.md`',
      'Cannot find heading for `#missing`',
      'docs/nowhere.md does not exist',
      'nowhere.test.ts does not exist',
      'npm run nowhere does not exist',
      'Write links and images in Markdown',
      'src/b.ts does not exist',
    ];
    expect(messages).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it('report code blocks that do not parse or whose language is not checked', async () => {
    const messages = await check([
      codeBlock('json', '{ "a": 1,, }'),
      codeBlock('yaml', 'a: [1'),
      codeBlock('js', 'const a = ;'),
      codeBlock('ts', 'const a: = 1;'),
      codeBlock('bash', 'if true; then'),
      codeBlock('jsonc', '{}'),
    ]);
    expect(messages).toHaveLength(6);
    expect(messages.at(-1)).toMatch(/^Code blocks in jsonc are not checked/);
  });

  it('accept pages without a fault', async () => {
    const messages = await check([
      '# This page',
      '[a](other.md#heading-here "A title"), [b](#this-page), https://example.com',
      '`a.test.ts`, `npm run start`',
      codeBlock('', '[a](nowhere.md) if true; then'),
      codeBlock('json', '{}'),
      codeBlock('ts', 'let a: 1;'),
      codeBlock('bash', 'true'),
      codeBlock('tree', 'src/\n  a.test.ts  a note'),
    ]);
    expect(messages).toEqual([]);
  });
});
