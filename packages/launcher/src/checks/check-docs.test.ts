import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface References {
  findDeadReferences(root: string, files: string[], page: string, markdown: string): string[];
}
interface Blocks {
  checkCodeBlocks(root: string, markdown: string): Promise<string[]>;
}

const root = mkdtempSync(join(tmpdir(), 'forecourt-docs-'));
const PAGE = 'page.md';
const BIN = join(ROOT, 'packages', 'launcher', 'bin');
let find: (markdown: string) => string[];
let checkBlocks: (markdown: string) => Promise<string[]>;

beforeAll(async () => {
  writeFileSync(join(root, 'package.json'), '{ "scripts": { "start": "node start.mjs" } }');
  writeFileSync(join(root, 'other.md'), '# Heading here\n');
  writeFileSync(join(root, PAGE), '');
  const references = (await import(join(BIN, 'find-dead-references.mjs'))) as References;
  const blocks = (await import(join(BIN, 'check-code-blocks.mjs'))) as Blocks;
  find = (markdown) => references.findDeadReferences(root, ['src/a.test.ts'], PAGE, markdown);
  checkBlocks = (markdown) => blocks.checkCodeBlocks(root, markdown);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the check of documentation', () => {
  it.each([
    ['[a](nowhere.md)', 'nowhere.md'],
    ['[a](nowhere.md "A title")', 'nowhere.md'],
    ['[a][b]\n\n[b]: nowhere.md', 'nowhere.md'],
    ['<img src="nowhere.png">', 'nowhere.png'],
    ['[a](other.md#nowhere)', 'other.md#nowhere'],
    ['[a](#nowhere)', '#nowhere'],
    ['`docs/nowhere.md`', 'docs/nowhere.md'],
    ['`nowhere.test.ts`', 'nowhere.test.ts'],
    ['`npm run nowhere`', 'npm run nowhere'],
  ])('finds that %j leads nowhere', (markdown, target) => {
    expect(find(markdown)).toEqual([`${target} does not exist`]);
  });

  it.each([
    '[a](other.md#heading-here "A title")',
    '# Own\n\n[a](#own)',
    'https://example.com, `a.test.ts`, `npm run start`',
    '```\n[a](nowhere.md)\n```',
  ])('accepts %j', (markdown) => {
    expect(find(markdown)).toEqual([]);
  });

  it.each([
    ['json', '{ "a": 1,, }'],
    ['yaml', 'a: [1'],
    ['js', 'const a = ;'],
    ['ts', 'const a: = 1;'],
    ['bash', 'if true; then'],
    ['jsonc', '{}'],
  ])('finds a faulty code block in %s', async (language, text) => {
    expect(await checkBlocks(`\`\`\`${language}\n${text}\n\`\`\`\n`)).toHaveLength(1);
  });

  it('accepts code blocks that parse, and text without a language', async () => {
    const blocks = ['json\n{}', 'ts\nlet a: 1;', 'bash\ntrue', '\nif true; then'];
    expect(await checkBlocks(blocks.map((one) => `\`\`\`${one}\n\`\`\``).join('\n\n'))).toEqual([]);
  });
});
