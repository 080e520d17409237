import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  commentLines,
  linesOf,
  listFiles,
  literalsOf,
  proseOf,
  type Text,
  titlesOf,
} from './read-texts.js';

const GLOSSARY = 'docs/glossary.md';
/** Records of what was printed or changed at another time. */
const RECORDS = /^CHANGELOG\.md$|^docs\/glossary\.md$|\/results\//;
const TESTS = /\.test\.ts$/;
/** Helpers of tests, whose texts are not shown. */
const TEST_SUPPORT = /\.test-support\.ts$|^test-e2e\/src\//;
/** Alerts, and the titles of a dashboard. */
const SHOWN = /^docker\/(prometheus|grafana)\//;

/**
 * Finds words that the glossary discourages in texts for people: pages, messages, alerts, the dashboard, titles of tests
 * and comments of scripts. Returns a line for each.
 */
export function checkGlossary(root: string): string[] {
  const { terms, names } = readGlossary(readFileSync(join(root, GLOSSARY), 'utf8'));
  return listFiles(root).flatMap((path) => {
    const read = readerOf(path);
    if (read === undefined) return [];
    return read(readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) => {
      const prose = names.reduce((rest, name) => rest.replaceAll(name, ''), text);
      return terms
        .filter(({ pattern }) => pattern.test(prose))
        .map(({ word, term }) => `${path}:${line}: "${word}"; write "${term}"`);
    });
  });
}

/** `terms`: the discouraged words of the third columns; `names`: the exceptions that contain such a word. */
function readGlossary(markdown: string) {
  const [tables = '', exceptions = ''] = markdown.split('\n## Exceptions\n');
  const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  const terms = rowsOf(tables).flatMap(([term, , discouraged]) =>
    codes(discouraged).map((word) => ({
      word,
      term,
      pattern: new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i'),
    })),
  );
  if (terms.length === 0) throw new Error(`${GLOSSARY} has no table with discouraged words`);
  const names = rowsOf(exceptions).flatMap(([name]) => codes(name));
  return { terms, names: names.filter((name) => terms.some(({ pattern }) => pattern.test(name))) };
}

const rowsOf = (markdown: string) =>
  [...markdown.matchAll(/^\| (.*) \|$/gm)].map(([, row]) =>
    row!.split(' | ').map((cell) => cell.trim()),
  );

type Reader = (source: string) => Text[];

/** By file extension: the texts for people, each with its first line. */
const readers: Readonly<Record<string, Reader>> = {
  '.md': proseOf,
  '.html': linesOf,
  '.ts': literalsOf,
  '.js': literalsOf,
  '.mjs': literalsOf,
  '.cjs': literalsOf,
  '.lua': commentLines('--'),
  '.yaml': commentLines('#'),
};

function readerOf(path: string): Reader | undefined {
  if (RECORDS.test(path)) return undefined;
  if (TESTS.test(path)) return titlesOf;
  if (TEST_SUPPORT.test(path)) return undefined;
  return SHOWN.test(path) ? linesOf : readers[extname(path)];
}
