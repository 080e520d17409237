import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/system';
import { LineFile } from './line-file.js';

let folder: string;
let path: string;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-lines-'));
  path = join(folder, 'new', 'audit.jsonl');
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (filePath = path) =>
  LineFile.open(filePath, {
    onFailure: ({ message }) => told.push(message),
    onRecovery: (lost) => told.push(`again, ${lost} lost`),
  });
const written = (count: number, filePath = path) =>
  waitUntil(
    async () => existsSync(filePath) && readFileSync(filePath, 'utf8').split('\n').length > count,
    {
      what: `${count} lines`,
    },
  );
const failedTwice = (file: LineFile) =>
  waitUntil(async () => file.errors >= 2, { what: 'a second attempt' });

const recovered = (file: LineFile) =>
  waitUntil(async () => !file.isFailing, { what: 'the recovery' });

describe('a file of lines', () => {
  it('creates its folder and keeps the order of lines', async () => {
    const file = open();
    const lines = Array.from({ length: 5_000 }, (_, number) => `line ${number}\n`);
    for (const line of lines) file.write(line);
    await written(lines.length);
    expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
    expect([file.errors, told]).toEqual([0, []]);
  });

  it('reports a full disk once, and writes what waited once there is room', async () => {
    const link = join(folder, 'disk');
    symlinkSync('/dev/full', link);
    const file = open(link);
    file.write('one\n');
    await failedTwice(file);
    file.write('two\n');
    expect(told).toEqual([expect.stringContaining('ENOSPC')]);
    expect(file.isFailing).toBe(true);
    file.reopen(path.replace('/new/', '/'));
    await written(2, join(folder, 'audit.jsonl'));
    await recovered(file);
    expect(readFileSync(join(folder, 'audit.jsonl'), 'utf8')).toBe('one\ntwo\n');
    expect([file.isFailing, told.length, told[1]]).toEqual([false, 2, 'again, 0 lost']);
  });

  it('keeps 4 MiB while the disk is full, and counts the lines that it drops', async () => {
    const file = open('/dev/full');
    const line = `${'x'.repeat(1_023)}\n`;
    for (let written = 0; written < 6 * 1_024; written++) file.write(line);
    await failedTwice(file);
    const rotated = join(folder, 'audit.jsonl');
    file.reopen(rotated);
    await waitUntil(async () => !file.isFailing, { what: 'the file' });
    const kept = readFileSync(rotated, 'utf8').length / 1_024;
    expect(kept).toBeGreaterThan(4 * 1_024 - 32);
    expect(told[1]).toBe(`again, ${6 * 1_024 - kept} lost`);
  });

  it('goes on in a new file after a rotation', async () => {
    const file = open();
    file.write('before\n');
    file.flush();
    renameSync(path, `${path}.1`);
    file.reopen(path);
    file.write('after\n');
    await written(1);
    await written(1, `${path}.1`);
    expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual([
      'before\n',
      'after\n',
    ]);
  });

  it('keeps its file where the new one cannot be opened', async () => {
    const file = open();
    expect(() => file.reopen(folder)).toThrow('EISDIR');
    file.write('kept\n');
    await written(1);
  });
});
