import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  commentsOf,
  listFiles,
  literalsOf,
  luaCommentsOf,
  proseOf,
  type Text,
  titlesOf,
} from './read-texts.js';

interface Phrase {
  readonly pattern: RegExp;
  readonly advice: string;
}

/** Records of earlier releases and of runs. */
const RECORDS = /^CHANGELOG\.md$|\/results\//;

const PHRASES: readonly Phrase[] = [
  { pattern: /\bnobody\b/i, advice: 'name the actor: "no process", "no caller"' },
  { pattern: /\bwhoever\b/i, advice: 'name the actor: "the process that"' },
  { pattern: /\bof (its|their) own\b/i, advice: 'write "separate" or "new", or leave it out' },
  { pattern: /\b(is|are) told\b/i, advice: 'write "receives"' },
  { pattern: /\b(became|becomes?) of\b/i, advice: 'write "outcome" or "state"' },
  { pattern: /\bin vain\b/i, advice: 'write "without effect"' },
  { pattern: /\bfor good\b/i, advice: 'write "permanently"' },
  { pattern: /\bfor ever\b/i, advice: 'write "forever"' },
];
const OPENING: Phrase = { pattern: /^What /, advice: 'begin with a noun' };

/**
 * Finds phrases of stilted English in comments, messages, pages and titles of tests. Returns a line for each, with its
 * place and a remedy.
 */
export function checkPhrases(root: string): string[] {
  return listFiles(root)
    .filter((path) => !RECORDS.test(path))
    .flatMap((path) =>
      phrasesIn(path, () => readFileSync(join(root, path), 'utf8')).map(
        ({ line, found, advice }) => `${path}:${line}: "${found}"; ${advice}`,
      ),
    );
}

function phrasesIn(path: string, read: () => string) {
  switch (extname(path)) {
    case '.md':
      return findIn(proseOf(read()), PHRASES);
    case '.lua':
      return findIn(luaCommentsOf(read()), [...PHRASES, OPENING]);
    case '.ts':
    case '.mjs': {
      const source = read();
      const comments = findIn(commentsOf(source), [...PHRASES, OPENING]);
      return [...comments, ...findIn(shownTexts(path, source), PHRASES)];
    }
    default:
      return [];
  }
}

/** Titles of a test, messages of other code; texts in helpers of tests are data. */
function shownTexts(path: string, source: string): Text[] {
  if (path.endsWith('.test-support.ts')) return [];
  return path.endsWith('.test.ts') ? titlesOf(source) : literalsOf(source);
}

const findIn = (texts: readonly Text[], phrases: readonly Phrase[]) =>
  texts.flatMap(({ line, text }) =>
    phrases.flatMap(({ pattern, advice }) => {
      const match = pattern.exec(text);
      return match === null ? [] : [{ line, found: match[0].trim(), advice }];
    }),
  );
