import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkFileNames } from './check-file-names.js';

let root: string;

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function manifest(workspace: string, ...packages: readonly string[]): void {
  const dependencies = Object.fromEntries(packages.map((name) => [`@forecourt/${name}`, '*']));
  write(`${workspace}/package.json`, JSON.stringify({ dependencies }));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-names-'));
  manifest('apps/gateway', 'policy');
  manifest('packages/policy', 'ledger');
  manifest('packages/ledger');
  manifest('packages/testing');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('checkFileNames', () => {
  it('finds a name that an app and a package of its packages share', () => {
    write('apps/gateway/src/http/coins.ts');
    write('packages/ledger/src/coins.ts');
    expect(checkFileNames(root)).toEqual([
      'apps/gateway uses files of the same name: apps/gateway/src/http/coins.ts, packages/ledger/src/coins.ts',
    ]);
  });

  it('finds a name that occurs twice in one app', () => {
    write('apps/gateway/src/a/coins.test.ts');
    write('apps/gateway/src/b/coins.test.ts');
    expect(checkFileNames(root)).toHaveLength(1);
  });

  it('accepts conventional names, and names that no app meets twice', () => {
    for (const workspace of ['apps/gateway', 'packages/ledger']) write(`${workspace}/src/index.ts`);
    write('apps/gateway/src/coins.ts');
    write('packages/testing/src/coins.ts');
    write('packages/ledger/dist/coins.ts');
    expect(checkFileNames(root)).toEqual([]);
  });
});
