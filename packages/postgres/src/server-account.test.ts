import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { reachableFolder, reachablePrograms } from './server-account.js';

const ACCOUNT = { uid: 65_534, gid: 65_534 };
const VERSION = 4_711;
const PROGRAM = 'installed';

let hidden: string;
let data: string;
let made: string[];
beforeEach(() => {
  hidden = mkdtempSync(join(tmpdir(), 'hidden-'));
  data = join(hidden, 'postgres');
  made = [hidden];
});
afterEach(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));

function reach(folder = data): string {
  const reached = reachableFolder(folder, ACCOUNT);
  made.push(reached);
  return reached;
}

function plant(folder: string): void {
  made.push(folder);
  mkdirSync(join(folder, 'programs', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'programs', 'bin', 'postgres'), 'planted', { mode: 0o755 });
}

describe('the folder of a PostgreSQL whose account may not enter the given one', () => {
  it('has a random name, and is the same one later', () => {
    const reached = reach();
    expect(dirname(reached)).toBe('/var/tmp');
    expect(statSync(reached).mode & 0o777).toBe(0o755);
    expect(reach()).toBe(reached);
    expect(reach(join(hidden, 'other'))).not.toBe(reached);
  });

  it('is not one that another user has put under a name that can be computed', () => {
    const name = createHash('sha256').update(data).digest('hex').slice(0, 16);
    plant(`/var/tmp/forecourt-postgres-${name}`);
    expect(made).not.toContain(reachableFolder(data, ACCOUNT));
    made.push(readFileSync(join(data, 'place'), 'utf8'));
  });

  it('is refused if other users can write into it, or if it is gone', () => {
    const reached = reach();
    chmodSync(reached, 0o777);
    expect(() => reach()).toThrow(`other users can write into ${reached}`);
    rmSync(reached, { recursive: true });
    expect(() => reach()).toThrow(`restore it, or remove ${join(data, 'place')}`);
  });

  it('is the given one if the account may enter it and nobody else can change it', () => {
    chmodSync(hidden, 0o755);
    expect(reach()).toBe(data);
    chmodSync(data, 0o777);
    expect(() => reach()).toThrow(`other users can write into ${data}`);
  });
});

describe('programs that the account may not enter', () => {
  it('are copied into the folder of the server, whatever another user has put elsewhere', () => {
    plant(join(tmpdir(), `forecourt-postgres-${VERSION}`));
    const installation = join(hidden, 'native');
    mkdirSync(join(installation, 'bin'), { recursive: true });
    writeFileSync(join(installation, 'bin', 'postgres'), PROGRAM);
    const own = reach();
    const programs = { folder: join(installation, 'bin'), version: VERSION };
    for (const time of ['first', 'second']) {
      const copied = reachablePrograms(programs, ACCOUNT, own);
      expect([time, dirname(dirname(copied))]).toEqual([time, own]);
      expect(readFileSync(join(copied, 'postgres'), 'utf8')).toBe(PROGRAM);
    }
    chmodSync(join(own, `programs-${VERSION}`), 0o777);
    expect(() => reachablePrograms(programs, ACCOUNT, own)).toThrow(/other users can write/);
  });
});
