import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkGlossary } from './check-glossary.js';

const GLOSSARY = `# Glossary

| Term       | Meaning | Instead of        |
| ---------- | ------- | ----------------- |
| quarantine | …       | \`held back\`       |
| consolidate | …      | \`fold\`, \`folded\` |

## Exceptions

| Name                | Is about |
| ------------------- | -------- |
| \`'fold'\`, in Redis  | …        |
| \`held\` among the keys | …      |
`;

const root = mkdtempSync(join(tmpdir(), 'forecourt-terms-'));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeAll(() => write('docs/glossary.md', GLOSSARY));
afterAll(() => rmSync(root, { recursive: true }));

describe('checkGlossary', () => {
  it.each([
    ['a page', 'docs/page.md', 'Coins are held back.'],
    ['a message', 'src/message.ts', "export const text = 'coins are held back';"],
    ['a template', 'src/template.ts', 'export const text = (n: number) => `${n} are held back`;'],
    ['a script', 'bin/script.mjs', "export const text = 'held back';"],
    ['a title of a test', 'src/one.test.ts', "it('folded coins', () => {});"],
    ['a title with a value', 'src/two.test.ts', 'describe(`${1} folded coins`, () => {});'],
    ['a title of several tests', 'src/three.test.ts', "it.each([1])('folded %s', () => {});"],
    ['an alert', 'docker/prometheus/alerts.yaml', "summary: 'Coins are held back'"],
    ['the dashboard', 'docker/grafana/board.json', '{ "title": "Coins folded" }'],
    ['a comment of a script in Lua', 'lua/script.lua', '-- folded coins'],
    ['a page in HTML', 'index.html', '<p>folded</p>'],
  ])('finds a discouraged word in %s', (_name, path, text) => {
    write(path, text);
    const [problem] = checkGlossary(root);
    expect(problem).toMatch(new RegExp(`^${path}:1: "(held back|folded)"`));
    rmSync(join(root, path));
  });

  it.each([
    ['code of a page', 'docs/page.md', 'The kind `fold` and\n\n```\nheld back\n```\n'],
    ['names of the table of exceptions', 'src/kind.ts', "export const kind = 'fold';"],
    ['such a name in a query', 'docker/prometheus/alerts.yaml', 'expr: made{kind="fold"}'],
    ['other texts of a test', 'src/one.test.ts', "it('works', () => say('folded'));"],
  ])('allows %s', (_name, path, text) => {
    write(path, text);
    expect(checkGlossary(root)).toEqual([]);
    rmSync(join(root, path));
  });
});
