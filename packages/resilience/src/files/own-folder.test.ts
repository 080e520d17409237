import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makePrivateFolder, requireOwnFolder } from './own-folder.js';

let above: string;
let folder: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'own-folder-'));
  folder = join(above, 'secrets');
});
afterEach(() => rmSync(above, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('a private folder', () => {
  it.each([false, true])('can be opened by its owner only (exists before: %s)', (exists) => {
    if (exists) mkdirSync(folder);
    if (exists) chmodSync(folder, 0o755);
    makePrivateFolder(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it('is not made through a link', () => {
    mkdirSync(join(above, 'open'), 0o755);
    symlinkSync(join(above, 'open'), folder);
    expect(() => makePrivateFolder(folder)).toThrow(`${folder} is a link`);
    expect(() => requireOwnFolder(folder)).toThrow(`${folder} is a link`);
    expect(modeOf(join(above, 'open'))).toBe(0o755);
  });
});

describe('the folder of programs and data', () => {
  it('is refused if other users can write into it', () => {
    mkdirSync(folder);
    requireOwnFolder(folder);
    for (const mode of [0o775, 0o757, 0o1777]) {
      chmodSync(folder, mode);
      expect(() => requireOwnFolder(folder)).toThrow(/other users can write into .*chmod go-w/);
    }
  });

  it('is refused if it belongs to another user', () => {
    if (process.getuid?.() !== 0) {
      expect(() => requireOwnFolder('/')).toThrow(/belongs to user 0/);
      return;
    }
    mkdirSync(folder);
    chownSync(folder, 65_534, 65_534);
    expect(() => requireOwnFolder(folder)).toThrow(/belongs to user 65534, not to 0/);
    expect(() => makePrivateFolder(folder)).toThrow(/belongs to user 65534, not to 0/);
  });
});
