import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import type { Command } from 'commander';
import { redisUsersCommand } from './redis-users-command.js';
import { loadOrCreateSecret } from '../start/start-config.js';
import { initCommand } from './init-command.js';
import { secretsCommand } from './secrets-command.js';

let above: TemporaryFolder;
beforeEach(() => {
  above = new TemporaryFolder();
});
afterEach(() => above.remove());

const run = (command: Command, ...args: string[]) => command.parseAsync(args, { from: 'user' });
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.each([
  ['secrets', secretsCommand],
  ['redis-users', redisUsersCommand],
])('the folder of forecourt %s', (_name, define) => {
  it('can be opened by its owner only, although others could open it before', async () => {
    const out = above.pathOf('out');
    mkdirSync(out);
    chmodSync(out, 0o755);
    await run(define(), '--out', out);
    expect(modeOf(out)).toBe(0o700);
  });

  it('is refused, and stays empty, if it is a link', async () => {
    const [open, out] = [above.pathOf('open'), above.pathOf('out')];
    mkdirSync(open);
    symlinkSync(open, out);
    await expect(run(define(), '--out', out)).rejects.toThrow(`${out} is a link`);
    expect(readdirSync(open)).toEqual([]);
  });
});

it('the folder of a service below forecourt secrets is refused if it is a link', async () => {
  const [open, out] = [above.pathOf('open'), above.pathOf('out')];
  mkdirSync(open);
  mkdirSync(out);
  symlinkSync(open, join(out, 'gateway'));
  await expect(run(secretsCommand(), '--out', out)).rejects.toThrow(`${out}/gateway is a link`);
  expect(readdirSync(open)).toEqual([]);
});

describe('the file of forecourt init', () => {
  const init = (file: string) =>
    run(initCommand(), '--out', file, '--key', above.pathOf('key'), '--force', '--yes');

  it('can be read by its owner only, although others could read the file that it replaces', async () => {
    const file = above.write('forecourt.env', 'former');
    chmodSync(file, 0o644);
    await init(file);
    expect([file, above.pathOf('key')].map(modeOf)).toEqual([0o600, 0o600]);
  });

  it('is not written through a link', async () => {
    const file = above.pathOf('forecourt.env');
    symlinkSync(above.pathOf('elsewhere'), file);
    await expect(init(file)).rejects.toThrow(`${file} is a link`);
    expect(existsSync(above.pathOf('elsewhere'))).toBe(false);
  });
});

it('a generated secret is not written through a link that leads to nothing', () => {
  const file = above.pathOf('token');
  symlinkSync(above.pathOf('elsewhere'), file);
  expect(() => loadOrCreateSecret(file)).toThrow(`${file} is a link`);
  expect(existsSync(above.pathOf('elsewhere'))).toBe(false);
});
