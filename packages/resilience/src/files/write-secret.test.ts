import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeSecret } from './write-secret.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-secret-'));
  file = join(folder, 'token');
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('a file with a secret', () => {
  it('can be read by its owner only, although others could read the file before', () => {
    writeFileSync(file, 'former');
    chmodSync(file, 0o644);
    const reader = openSync(file, 'r');
    writeSecret(file, 'secret');
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['secret', 0o600]);
    expect(readFileSync(reader, 'utf8')).toBe('former');
    closeSync(reader);
    expect(readdirSync(folder)).toEqual(['token']);
  });

  it('has a wider mode if it is asked for, whatever the mask of the process is', () => {
    const mask = process.umask(0o077);
    writeSecret(file, 'secret', 0o644);
    process.umask(mask);
    expect(modeOf(file)).toBe(0o644);
  });

  it('is not written through a link, also one that leads to nothing', () => {
    for (const target of [join(folder, 'missing'), folder]) {
      symlinkSync(target, file);
      expect(() => writeSecret(file, 'secret')).toThrow(`${file} is a link; remove it`);
      rmSync(file);
    }
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it('does not appear under another name of the former file', () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'former');
    linkSync(other, file);
    writeSecret(file, 'secret');
    expect(readFileSync(other, 'utf8')).toBe('former');
  });

  it('leaves nothing behind where it cannot be written', () => {
    expect(() => writeSecret(folder, 'secret')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(
      readdirSync(tmpdir()).filter((name) => join(tmpdir(), name).startsWith(`${folder}.`)),
    ).toEqual([]);
  });
});
