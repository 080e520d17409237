import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type Application,
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
} from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { tokenEntry, tokensFile, applicationOf } from '../support/tokens-file.js';

const MOST = 12;
const EXECUTE = 'iota_executeTransactionBlock';

const system = useSystem((files) => ({
  env: {
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(tokenEntry('shop'), tokenEntry('kiosk'))),
    MAX_EXECUTIONS_AT_ONCE: String(MOST),
    MAX_RESERVATIONS_AT_ONCE: '8',
    MAX_QUEUED_EXECUTIONS: '4',
    EXECUTOR_CONCURRENCY: '2',
    POOL_TARGET_COINS: '60',
  },
}));
beforeAll(() => system.untilAvailable(60));
afterEach(() => system.control.clearFaults());
const as = (name: string) => applicationOf(name, system.application);

async function prepare(application: Application, count: number) {
  const some = Array.from({ length: count }, async () => {
    const reservation = await untilReserved(application);
    return { reservation, transaction: await buildSponsored(application, reservation) };
  });
  return Promise.all(some);
}

async function untilReserved(application: Application) {
  for (;;) {
    const answer = await reserveGas(application, 10_000_000, 300);
    if (answer.status === 200)
      return answer.body.result as unknown as Awaited<ReturnType<typeof reserved>>;
  }
}

const isShed = ({ status, headers, body }: Answer) =>
  status === 503 && headers.get('retry-after') === '1' && /Too many requests/.test(body.error!);

describe('excess load', () => {
  it('is refused at once with Retry-After; admitted requests are served, and a retry succeeds', async () => {
    await system.control.fault({ kind: 'latency', ms: 1_000, method: EXECUTE });
    const work = await prepare(system.application, 24);
    const startedAt = performance.now();
    const tried = await Promise.all(
      work.map(async ({ reservation, transaction }) => {
        const answer = await executeTx(system.application, reservation, transaction);
        return { answer, ms: performance.now() - startedAt };
      }),
    );
    const shed = tried.filter(({ answer }) => isShed(answer));
    const done = tried.filter(({ answer }) => answer.status === 200);
    expect(shed.length + done.length).toBe(24);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBeLessThanOrEqual(MOST);
    await system.control.clearFaults();
    for (const { reservation, transaction } of work) {
      const again = () => executeTx(system.application, reservation, transaction);
      await system.until(async () => (await again()).status === 200);
    }
    for (const { transaction } of work) {
      expect(await system.control.submissionsOf(transaction.digest)).toBe(1);
    }
    expect(await system.differences()).toEqual([]);
  });

  it('leaves room for another token if it comes from one token', async () => {
    await system.control.fault({ kind: 'latency', ms: 1_500, method: EXECUTE });
    const [flood, few] = [await prepare(as('shop'), 20), await prepare(as('kiosk'), 2)];
    const run = (application: Application) => (one: (typeof flood)[number]) =>
      executeTx(application, one.reservation, one.transaction);
    const first = run(as('kiosk'))(few[0]!);
    const flooding = flood.map(run(as('shop')));
    const second = run(as('kiosk'))(few[1]!);
    const [own, others] = [await Promise.all([first, second]), await Promise.all(flooding)];
    expect(others.some(isShed)).toBe(true);
    // All tokens share the queue, so the second one may be asked to wait; it was admitted.
    expect(own[0].status).toBe(200);
    expect(others.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(MOST / 2 + 1);
  });

  it('leaves room for executions if it consists of reservations', async () => {
    const [one] = await prepare(system.application, 1);
    let flooding = true;
    const flood = Array.from({ length: 60 }, async () => {
      const answers: number[] = [];
      while (flooding) answers.push((await reserveGas(as('shop'), 1_000, 1)).status);
      return answers;
    });
    const startedAt = performance.now();
    const { status } = await executeTx(system.application, one!.reservation, one!.transaction);
    const ms = performance.now() - startedAt;
    flooding = false;
    const statuses = new Set((await Promise.all(flood)).flat());
    expect(status).toBe(200);
    expect(ms).toBeLessThan(20_000);
    expect([...statuses].every((each) => each === 200 || each === 503)).toBe(true);
    // The system recovers without help.
    await system.until(async () => (await reserveGas(system.application)).status === 200);
  });
});
