import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  commentsOf,
  listFiles,
  literalsOf,
  luaCommentsOf,
  proseOf,
  titlesOf,
} from '../dist/checks/read-texts.js';

/** Folders whose prose is plain already. Add a folder once its texts are rewritten. */
const FOLDERS = [
  'apps/cli',
  'apps/coin-pool',
  'apps/devnet',
  'apps/events',
  'apps/executor',
  'apps/gateway/src/access',
  'apps/gateway/src/coin-pool',
  'apps/gateway/src/compatibility',
  'apps/gateway/src/events-proxy',
  'apps/gateway/src/http',
  'apps/gateway/src/openapi',
  'apps/gateway/src/operations',
  'apps/gateway/src/sponsoring',
  'packages/admission',
  'packages/benchmark',
  'packages/client',
  'packages/coin-store',
  'packages/contracts',
  'packages/event-matching',
  'packages/json-rpc',
  'packages/launcher',
  'packages/ledger',
  'packages/policy',
  'packages/runtime',
  'packages/testing',
];
/** Parts of these folders that are not rewritten yet, and results of earlier runs. */
const EXCEPT = [/^packages\/runtime\/src\/transport\//, /\/results\//];

const PHRASES = [
  { pattern: /\bnobody\b/i, advice: 'name the actor: "no process", "no caller"' },
  { pattern: /\bwhoever\b/i, advice: 'name the actor: "the process that"' },
  { pattern: /\bof (its|their) own\b/i, advice: 'write "separate" or "new", or leave it out' },
  { pattern: /\b(is|are) told\b/i, advice: 'write "receives"' },
  { pattern: /\b(became|becomes?) of\b/i, advice: 'write "outcome" or "state"' },
  { pattern: /\bin vain\b/i, advice: 'write "without effect"' },
  { pattern: /\bfor good\b/i, advice: 'write "permanently"' },
  { pattern: /\bfor ever\b/i, advice: 'write "forever"' },
];
const OPENING = { pattern: /^What /, advice: 'begin with a noun' };

/** Finds phrases of stilted English in comments, messages, pages and titles of tests, in the folders above. */
export function checkPhrases(root) {
  const paths = listFiles(root).filter(
    (path) =>
      FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
      !EXCEPT.some((pattern) => pattern.test(path)),
  );
  const problems = paths.flatMap((path) =>
    readTexts(path, () => readFileSync(join(root, path), 'utf8')).flatMap(
      ({ line, text, phrases }) =>
        phrases.flatMap(({ pattern, advice }) => {
          const found = pattern.exec(text);
          return found === null ? [] : [`${path}:${line}: "${found[0].trim()}"; ${advice}`];
        }),
    ),
  );
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

function readTexts(path, read) {
  switch (extname(path)) {
    case '.md':
      return withPhrases(proseOf(read()), PHRASES);
    case '.lua':
      return withPhrases(luaCommentsOf(read()), [...PHRASES, OPENING]);
    case '.ts':
    case '.mjs': {
      const source = read();
      const others = shownTexts(path, source);
      return [
        ...withPhrases(commentsOf(source), [...PHRASES, OPENING]),
        ...withPhrases(others, PHRASES),
      ];
    }
    default:
      return [];
  }
}

/** Titles of a test, messages of other code; texts in helpers of tests are data. */
function shownTexts(path, source) {
  if (path.endsWith('.test-support.ts')) return [];
  return path.endsWith('.test.ts') ? titlesOf(source) : literalsOf(source);
}

const withPhrases = (texts, phrases) => texts.map((text) => ({ ...text, phrases }));
