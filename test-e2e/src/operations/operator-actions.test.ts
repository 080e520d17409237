import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import {
  bothServe,
  drain,
  first,
  recorded,
  reserveFrom,
  second,
  sponsorOf,
  statusOf,
  system,
  untilState,
} from '../support/systems/sponsors-system.js';

const PAGE = readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8');
const run = promisify(execFile);

/** The shell commands in the sections of the page, by heading. */
const commands = new Map(
  PAGE.split(/^### /m).map((section) => [
    section.split('\n', 1)[0]!,
    [...section.matchAll(/^ *```bash\n([\s\S]*?)^ *```$/gm)].map(([, text]) => text!),
  ]),
);
const walked = new Set<string>();

/**
 * Runs a section's block like an operator who copied it. Each of its lines must succeed. Returns the output.
 */
async function walk(heading: string, index: number, variables: object = {}): Promise<string> {
  const text = commands.get(heading)?.[index];
  if (text === undefined) throw new Error(`"${heading}" has no block ${index}`);
  walked.add(`${heading} ${index}`);
  const { url, token } = system.application;
  const script = text
    .replaceAll('http://127.0.0.1:9527', url)
    .replaceAll('curl -s', 'curl -sS --fail-with-body');
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-u', '-c', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      TOKEN: token,
      FORECOURT_URL: url,
      FORECOURT_TOKEN: token,
      ...variables,
    },
  });
  return stdout;
}

describe('the commands of docs/command-line.md, one after the other', () => {
  beforeAll(bothServe);

  it('pause a token and resume it', async () => {
    expect(await walk('Pause', 0)).toMatch(
      /"scope":"token shop","reason":"unusual spending"[\s\S]*token shop .* unusual spending/,
    );
    expect(await walk('Pause', 1)).toMatch(
      /token shop [\s\S]*Nothing is paused[\s\S]*"paused":\[]/,
    );
    expect((await recorded(1))[0]).toEqual([expect.any(String), 'resume', 'token shop', '']);
  });

  it('show a sponsor that was added', async () => {
    expect(await walk('Add a sponsor', 0)).toMatch(new RegExp(`${second.address} +serving`));
  });

  it('drain a sponsor and let it serve again', async () => {
    const SPONSOR = first.address;
    expect(await walk('Drain a sponsor', 0, { SPONSOR })).toContain('key rotation');
    expect(sponsorOf(await reserveFrom())).toBe(second.address);
    await walk('Drain a sponsor', 1, { SPONSOR });
    expect((await statusOf(SPONSOR)).state).toBe('serving');
    // A coin-pool that met the drain asks the others first for a second.
    await system.until(async () => sponsorOf(await reserveFrom()) === first.address);
  });

  it('compare a pool with the ledger', async () => {
    const output = await walk('Reconcile a pool', 0, { SPONSOR: first.address });
    expect(output).toMatch(
      /"finished":true[\s\S]*coins adopted, 0 corrected, 0 differences remain/,
    );
  });

  it('withdraw an amount, then all funds, of a drained sponsor', async () => {
    const SPONSOR = first.address;
    expect((await drain(SPONSOR)).status).toBe(200);
    await untilState(SPONSOR, 'drained');
    const amount = await walk('Withdraw', 1, { SPONSOR, TO: second.address });
    expect(amount).toContain(`of 0.5 IOTA arrived at ${second.address}`);
    const ended = async () => (await statusOf(SPONSOR)).withdrawal?.ended != null;
    await system.until(ended);
    expect((await statusOf(SPONSOR)).withdrawal?.arrived).toBe('500000000');
    const output = await walk('Withdraw', 0, { SPONSOR, TO: second.address });
    expect(output).toContain(`coins sent to ${second.address}`);
    await system.until(ended);
    expect((await statusOf(SPONSOR)).balance).toBe('0');
  });

  it('inspect the fleet', async () => {
    const output = await walk('Inspect', 0);
    expect(output).toMatch(new RegExp(`Sponsor ${second.address}[\\s\\S]*"problems":\\[`));
  });

  it('explain a transaction and its reservation', async () => {
    const { transaction, reservation } = await sponsor(system.application);
    await system.control.untilShown();
    const output = await walk('Explain', 0, {
      DIGEST: transaction.digest,
      RESERVATION_ID: String(reservation.reservation_id),
    });
    expect(output).toMatch(/^verdict +succeeded[\s\S]*"verdict":"succeeded"/m);
  });

  it('are all among these', () => {
    const all = [...commands].flatMap(([heading, blocks]) =>
      blocks.map((_, index) => `${heading} ${index}`),
    );
    expect([...walked].sort()).toEqual(all.sort());
  });
});
