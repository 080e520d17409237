import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkPhrases } from './check-phrases.js';

const FOLDER = 'packages/ledger';
let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-phrases-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('checkPhrases', () => {
  it.each([
    ['a comment', 'one.ts', '/** It waits for nobody. */', 'nobody'],
    ['a comment over two lines', 'one.ts', '/**\n * Of a key of\n * its own.\n */', 'of its own'],
    ['line comments', 'one.ts', '// The caller is\n// told.', 'is told'],
    ['a comment inside a function', 'one.ts', 'f(() => {\n  // Tried in vain.\n});', 'in vain'],
    ['a comment before a variant', 'one.ts', 'type A =\n  /** Whoever asks. */\n  | 1;', 'Whoever'],
    ['the beginning of a comment', 'one.ts', '/** What a step does. */', 'What'],
    ['a message', 'one.ts', "throw new Error('nobody listens');", 'nobody'],
    ['a title of a test', 'one.test.ts', "it('tells what became of it', () => {});", 'became of'],
    ['a script', 'one.mjs', '// Waits for nobody.', 'nobody'],
    ['a script in Lua', 'one.lua', '-- What a pool has.', 'What'],
    ['Lua over two lines', 'one.lua', '-- The outcome that become\n-- of it.', 'become of'],
    ['a page', 'README.md', 'It is gone for good.', 'for good'],
  ])('finds a phrase in %s', (_name, file, text, phrase) => {
    write(`${FOLDER}/${file}`, text);
    expect(checkPhrases(root)).toEqual([
      expect.stringMatching(new RegExp(`^${FOLDER}/${file}:\\d+: "${phrase}"; `)),
    ]);
  });

  it.each([
    ['names in code', 'packages/ledger/one.ts', 'const nobody = 1;'],
    ['data of a test', 'packages/ledger/one.test.ts', "it('works', () => say('nobody'));"],
    ['data of a helper', 'packages/ledger/one.test-support.ts', "export const name = 'nobody';"],
    ['comment marks in a text', 'packages/ledger/one.ts', "const url = 'https://a/What is it';"],
    ['results', 'packages/benchmark/results/one.md', 'Nobody waits.'],
  ])('allows %s', (_name, path, text) => {
    write(path, text);
    expect(checkPhrases(root)).toEqual([]);
  });

  it('reports the line on which the comment begins', () => {
    write(`${FOLDER}/one.ts`, 'const a = 1;\n\n/**\n * Waits\n * for nobody.\n */\n');
    expect(checkPhrases(root)).toEqual([expect.stringMatching(/^packages\/ledger\/one\.ts:3: /)]);
  });
});
