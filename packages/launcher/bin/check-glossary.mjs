import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { listFiles } from './markdown.mjs';
import { commentLines, linesOf, literalsOf, proseOf, titlesOf } from './read-texts.mjs';

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
 * and comments of scripts.
 */
export function checkGlossary(root) {
  const { terms, names } = readGlossary(readFileSync(join(root, GLOSSARY), 'utf8'));
  const problems = listFiles(root).flatMap((path) => {
    const read = readerOf(path);
    if (read === undefined) return [];
    return read(readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) => {
      const prose = names.reduce((rest, name) => rest.replaceAll(name, ''), text);
      return terms
        .filter(({ pattern }) => pattern.test(prose))
        .map(({ word, term }) => `${path}:${line}: "${word}"; write "${term}"`);
    });
  });
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** `terms`: the discouraged words of the third columns; `names`: the exceptions that contain such a word. */
function readGlossary(markdown) {
  const [tables, exceptions] = markdown.split('\n## Exceptions\n');
  const codes = (cell) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  const terms = rowsOf(tables).flatMap(([term, , discouraged]) =>
    codes(discouraged).map((word) => ({
      word,
      term,
      pattern: new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i'),
    })),
  );
  if (terms.length === 0) throw new Error(`${GLOSSARY} has no table with discouraged words`);
  const names = rowsOf(exceptions ?? '').flatMap(([name]) => codes(name));
  return { terms, names: names.filter((name) => terms.some(({ pattern }) => pattern.test(name))) };
}

const rowsOf = (markdown) =>
  [...markdown.matchAll(/^\| (.*) \|$/gm)].map(([, row]) =>
    row.split(' | ').map((cell) => cell.trim()),
  );

/** By file extension: the texts for people, each with its first line. */
const readers = {
  '.md': proseOf,
  '.html': linesOf,
  '.ts': literalsOf,
  '.js': literalsOf,
  '.mjs': literalsOf,
  '.cjs': literalsOf,
  '.lua': commentLines('--'),
  '.yaml': commentLines('#'),
};

function readerOf(path) {
  if (RECORDS.test(path)) return undefined;
  if (TESTS.test(path)) return titlesOf;
  if (TEST_SUPPORT.test(path)) return undefined;
  return SHOWN.test(path) ? linesOf : readers[extname(path)];
}
