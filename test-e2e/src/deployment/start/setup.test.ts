import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { createSponsorKey, readSponsorKey, ROOT } from '@forecourt/testing/system';
import { afterAll, describe, expect, it } from '@jest/globals';
import { system } from '../../support/systems/observed-system.js';

const PROGRAM = join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs');
const files = new TemporaryFolder();
afterAll(() => files.remove());

interface Finished {
  readonly code: number;
  readonly output: string;
}

/** A command that is given in the folder of this test. */
function forecourt(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const options = { env: { PATH: process.env['PATH'], INIT_CWD: files.path, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

const check = (text: string, env?: NodeJS.ProcessEnv) =>
  forecourt(['check', '--config', files.write('some.env', text)], env);

const ENOUGH = `SPONSOR_KEYS=${createSponsorKey().secret}\nGAS_STATION_AUTH=a\n`;

describe('forecourt init', () => {
  it('writes a configuration that check accepts, for an examined node, and names the sponsor', async () => {
    const made = await forecourt(['init', '--network', system.ledgerUrl, '--yes']);
    expect([made.code, made.output]).toEqual([
      0,
      expect.stringContaining('everything that is needed'),
    ]);
    const { address } = readSponsorKey(readFileSync(files.pathOf('sponsor.key'), 'utf8').trim());
    expect(made.output).toContain(`The sponsor is ${address}`);
    expect(made.output).toMatch(/10 000 of them need 10 to 30 IOTA/);
    for (const name of ['sponsor.key', 'forecourt.env']) {
      expect(statSync(files.pathOf(name)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(files.pathOf('forecourt.env'), 'utf8')).toContain(
      `\nLEDGER_URL=${system.ledgerUrl}\n`,
    );
    const written = readFileSync(files.pathOf('forecourt.env'), 'utf8');
    const named = [...written.matchAll(/\S+\.md/g)].map(([page]) => resolve(files.path, page));
    expect(named.map((page) => [page, existsSync(page)])).toEqual(
      named.map((page) => [page, true]),
    );
    const checked = await forecourt(['check', '--config', 'forecourt.env']);
    expect(checked).toEqual({ code: 0, output: expect.stringContaining('can be used') });
    const again = await forecourt(['init', '--yes']);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('--force')]);
  });

  it.each([
    ['--network', 'tetsnet', /must be local, testnet/],
    ['--redis', 'localhost:6379', /must be private or a URL that begins with redis/],
    ['--database', 'mysql://a', /must be private or a URL that begins with postgres/],
    ['--redis', 'redis:://127.0.0.1', /must be private or a URL that begins with redis/],
    ['--database', 'postgres://', /must name a host/],
    ['--faucet', 'faucet', /must be none or a URL that begins with http/],
  ])('refuses %s %s, and writes nothing', async (option, value, message) => {
    const made = await forecourt(['init', option, value, '--yes', '--out', 'refused.env']);
    expect([made.code, made.output]).toEqual([1, expect.stringMatching(message)]);
    expect(existsSync(files.pathOf('refused.env'))).toBe(false);
  });

  it('says that a node does not answer, and keeps what it has written', async () => {
    const made = await forecourt([
      'init',
      '--network',
      'http://127.0.0.1:1',
      '--yes',
      '--out',
      'b.env',
    ]);
    expect([made.code, made.output]).toEqual([
      1,
      expect.stringContaining('lacks something essential'),
    ]);
    expect(existsSync(files.pathOf('b.env'))).toBe(true);
  });
});

describe('forecourt secrets sponsor', () => {
  it('makes one key that only its owner can read, and never replaces one', async () => {
    const made = await forecourt(['secrets', 'sponsor', '--out', 'more.key']);
    const file = files.pathOf('more.key');
    const { address } = readSponsorKey(readFileSync(file, 'utf8').trim());
    expect([made.code, made.output]).toEqual([0, expect.stringContaining(`the key of ${address}`)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await forecourt(['secrets', 'sponsor', '--out', 'more.key']);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('more.key exists')]);
  });
});

describe('forecourt check', () => {
  it('accepts what services accept', async () => {
    expect(await check(ENOUGH)).toMatchObject({ code: 0 });
  });

  it('names every mistake: misspelled names, values, and lines of the access files', async () => {
    const tokens = files.write('tokens.yaml', 'tokens:\n  - name: shop\n    sha256: 12\n');
    const { code, output } = await check(
      `${ENOUGH}LEGDER_URL=http://a\nPOOL_TARGET_COINS=-1\nTOKENS_FILE=${tokens}\n`,
    );
    expect(code).toBe(1);
    expect(output).toContain('LEGDER_URL is not a variable');
    expect(output).toMatch(/POOL_TARGET_COINS must be an integer/);
    expect(output).toMatch(/TOKENS_FILE, line 2/);
  });

  it('lets the environment come first, by name and as a file', async () => {
    const wrong = `${ENOUGH}POOL_TARGET_COINS=-1\n`;
    expect(await check(wrong, { POOL_TARGET_COINS: '600' })).toMatchObject({ code: 0 });
    const key = files.write('own.key', createSponsorKey().secret);
    expect(await check(ENOUGH, { SPONSOR_KEYS_FILE: key })).toMatchObject({ code: 0 });
  });

  it('finds files beside the configuration', async () => {
    files.write('beside.key', createSponsorKey().secret);
    const text = 'SPONSOR_KEYS_FILE=beside.key\nGAS_STATION_AUTH=a\n';
    expect(await check(text)).toMatchObject({ code: 0 });
  });

  it('says that a file cannot be read', async () => {
    const { code, output } = await forecourt(['check', '--config', 'nowhere.env']);
    expect([code, output]).toEqual([1, expect.stringMatching(/cannot be read.*nowhere\.env/)]);
  });
});
