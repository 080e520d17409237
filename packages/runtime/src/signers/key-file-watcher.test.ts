import type { Logger } from '../service/index.js';
import { partial } from '@forecourt/testing/jest';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignerSource } from '@forecourt/key-services';
import { createLocalSigner } from '@forecourt/ledger';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../metrics/index.js';
import { KeyFileWatcher, readKeyFile, warnOfReaders } from './key-file-watcher.js';
import { Signers } from './signers.js';

const newKey = () => Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
const addressOf = (key: string) => createLocalSigner(key).address;

let folder: string;
let watcher: KeyFileWatcher | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-keys-'));
});
afterEach(() => {
  watcher?.onApplicationShutdown();
  rmSync(folder, { recursive: true });
});

/** The keys that a service with a key file has read. */
async function watching(file: string) {
  chmodSync(file, 0o600);
  const source = new SignerSource({ onRequest: () => undefined, onOutage: () => undefined });
  const signers = new Signers(await readKeyFile(file, source));
  const logged: { readonly level: string; readonly fields: object }[] = [];
  const logAs = (level: string) => (fields: object) => void logged.push({ level, fields });
  const logger = partial<Logger>({
    info: logAs('info'),
    warn: logAs('warn'),
    error: logAs('error'),
  });
  const metrics = new Metrics();
  watcher = new KeyFileWatcher(file, signers, source, logger, metrics);
  watcher.onApplicationBootstrap();
  const failures = async () =>
    /sponsor_key_reloads_total\{outcome="failed"\} (\d+)/.exec((await metrics.expose()).text)?.[1];
  const addresses = () => signers.configured.map(({ address }) => address);
  const until = (...keys: string[]) =>
    waitUntil(async () => String(addresses()) === String(keys.map(addressOf)));
  return { signers, logged, failures, addresses, until };
}

describe('KeyFileWatcher', () => {
  it('adds keys in the file’s order when the file changes', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    const file = join(folder, 'keys');
    writeFileSync(file, `${first}\n`);
    const { until, logged } = await watching(file);
    writeFileSync(file, `${second}\n${first},${third}\n${second}`);
    await until(second, first, third);
    expect(logged).toEqual([
      { level: 'info', fields: { added: [addressOf(second), addressOf(third)] } },
    ]);
  });

  it('reads a mounted secret again when its symbolic link is replaced', async () => {
    const [first, second] = [newKey(), newKey()];
    const mount = (name: string, text: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'keys'), text);
      symlinkSync(name, join(folder, 'next'));
      renameSync(join(folder, 'next'), join(folder, '..data'));
    };
    mount('one', first);
    symlinkSync(join('..data', 'keys'), join(folder, 'keys'));
    const { until } = await watching(join(folder, 'keys'));
    mount('two', `${first}\n${second}`);
    await until(first, second);
  });

  it('keeps the keys and counts a failure when the file is malformed or absent, and logs no key', async () => {
    const [first, second] = [newKey(), newKey()];
    const file = join(folder, 'keys');
    writeFileSync(file, first);
    const { failures, addresses, logged, until } = await watching(file);
    const broken = `${first}\n${second.slice(0, 20)}`;
    let failed = 0;
    for (const change of [
      () => writeFileSync(file, broken),
      () => writeFileSync(file, '\n'),
      () => rmSync(file),
    ]) {
      change();
      failed += 1;
      await waitUntil(async () => Number(await failures()) === failed);
      expect(addresses()).toEqual([addressOf(first)]);
    }
    expect(JSON.stringify(logged)).not.toContain(second.slice(0, 20));
    writeFileSync(file, `${first}\n${second}`);
    await until(first, second);
  });

  it('stops new sponsoring for a removed key, and still signs open work', async () => {
    const [first, second] = [newKey(), newKey()];
    const file = join(folder, 'keys');
    writeFileSync(file, `${first}\n${second}`);
    const { signers, until, logged } = await watching(file);
    writeFileSync(file, second);
    await until(second);
    expect(logged).toEqual([{ level: 'warn', fields: { removed: [addressOf(first)] } }]);
    const removed = signers.find(addressOf(first));
    expect(await removed!.signTransaction(new Uint8Array(40))).toMatch(/^[\w+/]{80,}/);
    expect(signers.isConfigured(addressOf(first))).toBe(false);
    expect(signers.known).toHaveLength(2);
    writeFileSync(file, `${second}\n${first}`);
    await until(second, first);
  });

  it('warns of a file that every user of the machine may read, and not of a mounted secret', async () => {
    const file = join(folder, 'keys');
    writeFileSync(file, newKey());
    const warned: object[] = [];
    for (const mode of [0o600, 0o640, 0o644, 0o777]) {
      chmodSync(file, mode);
      await warnOfReaders(file, partial({ warn: (fields: object) => void warned.push(fields) }));
    }
    expect(warned).toEqual([
      { file, permissions: '0644' },
      { file, permissions: '0777' },
    ]);
  });
});
