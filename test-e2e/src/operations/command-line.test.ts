import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { appProgram } from '@forecourt/testing/system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reserveGas, sponsor } from '../support/application.js';
import { lineOf } from '../support/documented-program.js';
import { system } from '../support/systems/observed-system.js';
import { burnProgram, failProgram } from '../support/raw-transaction.js';
import { kindBytes } from '../support/unpaid-transaction.js';

const PROGRAM = appProgram('cli', 'forecourt.js');
const run = promisify(execFile);

let files: TemporaryFolder;
beforeAll(() => {
  files = new TemporaryFolder();
});
afterAll(() => files.remove());

interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command like a user, with the system's addresses in its environment. */
async function forecourt(...args: string[]): Promise<Finished> {
  const env = {
    PATH: process.env['PATH'],
    HOME: files.pathOf('home'),
    FORECOURT_URL: system.application.url,
    FORECOURT_TOKEN: system.application.token,
    REDIS_URL: system.redisUrl,
    LEDGER_URL: system.ledgerUrl,
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [PROGRAM, ...args], { env });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}
const json = ({ out }: Finished) => JSON.parse(out) as Record<string, never>;

describe('the command forecourt', () => {
  it('sponsors a transaction that is signed with a key from a file', async () => {
    const user = new Ed25519Keypair();
    const keyFile = files.write('user.key', user.getSecretKey());
    const bytes = kindBytes(burnProgram(2_000));
    const sponsored = await forecourt('sponsor', bytes, '--key-file', keyFile, '--json');
    expect([sponsored.code, sponsored.err]).toEqual([0, '']);
    expect(await system.control.submissionsOf(json(sponsored)['digest']!)).toBe(1);
    const tried = await forecourt('try');
    const [, digest] = /^digest +(\w+)/.exec(tried.out)!;
    expect([tried.code, tried.err]).toEqual([0, '']);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
    expect(tried.out).toContain(`/console/sponsorships?q=${digest}`);
    const failing = await forecourt('sponsor', kindBytes(failProgram(3)), '--key-file', keyFile);
    expect([failing.code, failing.err]).toEqual([2, expect.stringContaining('would fail')]);
  });

  it('dry-runs a transaction', async () => {
    const sender = new Ed25519Keypair().toIotaAddress();
    const good = await forecourt('dry-run', kindBytes(burnProgram(2_000)), '--sender', sender);
    expect([good.code, good.out]).toEqual([0, expect.stringMatching(/sponsored +yes/)]);
    const bad = await forecourt('dry-run', kindBytes(failProgram(3)), '--sender', sender, '--json');
    expect([bad.code, json(bad)['execution']]).toEqual([
      1,
      { status: 'failure', error: expect.any(String) },
    ]);
  });

  it('shows the gas station, its pool and past events', async () => {
    const status = await forecourt('status');
    expect(status.out).toMatch(/version +\d+\.\d+\.\d+-\w{12}\ntoken +accepted\nsponsoring +yes/);
    expect((await forecourt('pool')).out).toMatch(/available +\d+ +[\d.]+ IOTA/);
    const events = await forecourt('events', '--limit', '2', '--json');
    const lines = events.out.trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object).sort())).toEqual(
      Array(2).fill(['event', 'id', 'timestamp', 'txDigest']),
    );
  });

  it('watches: says when it is connected, and shows a transaction without events as its checkpoint', async () => {
    const { url, token } = system.application;
    const env = { PATH: process.env['PATH'], FORECOURT_URL: url, FORECOURT_TOKEN: token };
    const watch = spawn(process.execPath, [PROGRAM, 'watch'], { env });
    try {
      await lineOf(watch.stderr, /^connected to http/);
      const { transaction } = await sponsor(system.application);
      await lineOf(watch.stdout, new RegExp(`${transaction.digest}  .*checkpoint`));
    } finally {
      watch.kill();
    }
  });

  it('pauses and resumes', async () => {
    const paused = await forecourt('pause', '--token', 'default', '--reason', 'a test');
    expect([paused.code, paused.out]).toEqual([
      0,
      expect.stringMatching(/token default .* a test/),
    ]);
    expect((await forecourt('inspect')).out).toMatch(/^scope .*\ntoken default .* a test\n/);
    expect(await forecourt('resume', '--token', 'default')).toEqual({
      code: 0,
      out: 'Nothing is paused.\n',
      err: '',
    });
    const mistyped = await forecourt('resume', '--token', 'defualt');
    expect([mistyped.code, mistyped.err]).toEqual([
      1,
      expect.stringMatching(/^This was not paused/),
    ]);
  });

  it('inspects the fleet, and explains a transaction and its reservation', async () => {
    const fleet = await forecourt('inspect', '--listed', '0');
    expect([fleet.code, fleet.err]).toEqual([0, '']);
    expect(fleet.out).toMatch(/^coin-pool +\d+\.\d+\.\d+-\w{12} /m);
    expect(json(await forecourt('inspect', '--json'))['sponsors']).toHaveLength(1);
    const { transaction, reservation } = await sponsor(system.application);
    await system.control.untilShown();
    for (const subject of [transaction.digest, String(reservation.reservation_id)]) {
      const explained = await forecourt('explain', subject);
      expect(explained.out).toMatch(/^The ledger has executed it in epoch \d+; .*\nNothing/);
      expect(json(await forecourt('explain', subject, '--json'))['verdict']).toBe('succeeded');
    }
    const unknown = await forecourt('explain', '6400');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/^No record of/)]);
  });

  it('drains a sponsor, and sends no funds without --yes or to an address that is not allowed', async () => {
    const { sponsor } = system;
    const drained = await forecourt('drain', sponsor, '--reason', 'a test');
    expect([drained.code, drained.out]).toEqual([
      0,
      expect.stringMatching(/drain(ing|ed) .*a test/s),
    ]);
    const inspected = await forecourt('inspect');
    expect(inspected.out).toMatch(/^drain +a test \(by .*, since .*\)$/m);
    const toStranger = ['withdraw', sponsor, '--to', '0x5afe', '--reason', 'a test'];
    for (const yes of [[], ['--yes']]) {
      const refused = await forecourt(...toStranger, ...yes);
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('are not allowed')]);
    }
    expect((await forecourt('undrain', sponsor)).code).toBe(0);
    const sponsors = json(await forecourt('sponsors', '--json'))['sponsors'] as unknown;
    expect(sponsors).toMatchObject([
      { sponsor_address: sponsor, state: 'serving', drain: null, withdrawal: null },
    ]);
  });

  it('compares a pool with the ledger', async () => {
    const compared = await forecourt('reconcile', system.sponsor, '--reason', 'a test');
    expect([compared.code, compared.out]).toEqual([
      0,
      expect.stringMatching(/^\d+ coins adopted, 0 corrected, 0 differences remain$/m),
    ]);
  });

  it('shows the index of events and fills it', async () => {
    const status = await forecourt('events', 'status');
    expect([status.code, status.out]).toEqual([
      0,
      expect.stringMatching(/^checkpoints +0 to \d+ \(.*\)$[^]*^missing +0 checkpoints$/m),
    ]);
    const filled = await forecourt('events', 'backfill', '--first', '0', '--json');
    expect([filled.code, filled.err]).toEqual([0, '0 checkpoints are missing\n']);
    expect(json(filled)).toMatchObject({ first_checkpoint: 0, missing_checkpoints: 0 });
    const wrong = await forecourt('events', 'backfill', '--last', '999999999');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('ends with checkpoint')]);
  });

  it('runs the programs for operators with their own arguments', async () => {
    expect((await forecourt('audit')).out).toContain(`Sponsor ${system.sponsor}`);
    expect((await forecourt('token', '--help')).out).toMatch(/^Usage: forecourt token/);
  });

  it('shows what was sponsored, refused and spent', async () => {
    const from = String(Date.now());
    const { reservation, transaction } = await sponsor(system.application);
    await reserveGas(system.application, 0);
    const id = String(reservation.reservation_id);
    for (const subject of [transaction.digest, id]) {
      const one = await forecourt('history', subject);
      expect([one.code, one.out]).toEqual([0, expect.stringContaining('executed: success')]);
      expect(one.out).toContain(`::clock::timestamp_ms`);
    }
    const list = await forecourt('history', '--from', from, '--status', 'executed', '--json');
    expect(json(list)).toMatchObject({ reservation_id: Number(id), digest: transaction.digest });
    await system.until(async () => {
      const refusals = await forecourt('history', '--refusals', '--from', from);
      return refusals.out.includes('INVALID_REQUEST');
    });
    await system.until(async () => {
      const usage = await forecourt('usage', '--from', from, '--by', 'token', '--json');
      const { total } = JSON.parse(usage.out) as { total: { transactions: number } };
      return total.transactions === 1;
    });
    const csv = await forecourt('usage', '--from', from, '--by', 'token', '--csv');
    expect(csv.out).toMatch(/^token,transactions,failed,refused,gas\r\n"default",1,0,1,-?\d+\r\n$/);
    const unknown = await forecourt('history', '64');
    expect([unknown.code, unknown.err]).toEqual([1, 'No record of reservation 64\n']);
    const wrong = await forecourt('history', '--status', 'done');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('status must be one of')]);
  });

  it('names the mistake, and ends with 2', async () => {
    const wrong = await forecourt('sponser');
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("unknown command 'sponser'"),
    ]);
    const missing = await forecourt('dry-run', 'AAAA');
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('--sender')]);
    expect((await forecourt('completion', 'bash')).out).toContain(
      'complete -F _forecourt forecourt',
    );
  });
});
