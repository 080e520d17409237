import { describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  reserved,
  type SignedTransaction,
} from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import { useSystem } from '../support/use-system.js';

const system = useSystem(() => ({ history: 2, postgres: 'new' }));

interface Sponsored {
  readonly transaction: SignedTransaction;
  readonly charged: bigint;
}

async function sponsorOne(application: Application): Promise<Sponsored> {
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation);
  const { status, body } = await executeTx(application, reservation, transaction);
  expect([status, body.effects?.status.status]).toEqual([200, 'success']);
  return { transaction, charged: netGas(body.effects!) };
}

const sponsored: Sponsored[] = [];

async function sponsor(count: number): Promise<void> {
  for (let i = 0; i < count; i++) sponsored.push(await sponsorOne(system.application));
}

async function result<T>(path: string): Promise<T> {
  const { status, body } = await call(system.application, 'GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body.result as unknown as T;
}

interface Usage {
  readonly total: { readonly transactions: number; readonly gas: string };
}

const expected = () => [
  sponsored.length,
  String(sponsored.reduce((sum, { charged }) => sum + charged, 0n)),
];

/** Waits until the database has every sponsorship, and compares them with those that callers saw. */
async function untilRecorded(): Promise<void> {
  await system.until(async () => {
    // Only the database counts usage; until it answers, the route does not.
    const usage = await result<Usage>('/v1/usage?group_by=token&from=0').catch(() => null);
    return usage?.total.transactions === sponsored.length;
  });
  const { total } = await result<Usage>('/v1/usage?group_by=token&from=0');
  expect([total.transactions, total.gas]).toEqual(expected());
  const { data } = await result<{ data: { digest: string }[] }>(
    '/v1/sponsorships?status=executed&limit=100',
  );
  const digests = sponsored.map(({ transaction: { digest } }) => digest).toReversed();
  expect(data.map(({ digest }) => digest)).toEqual(digests);
}

describe('history', () => {
  it('records each sponsorship once if its replicas die after they have written', async () => {
    const [first, second] = system.services('history');
    await first!.stop();
    await first!.start({ FORECOURT_FAILPOINTS: 'history:after-commit=1' });
    await second!.stop();
    await sponsor(3);
    await first!.exited();
    await sponsor(2);
    await Promise.all([first!.start(), second!.start()]);
    await untilRecorded();
  });

  it('catches up after PostgreSQL was away, while sponsoring was not affected', async () => {
    await system.postgres().stop();
    await sponsor(5);
    await system.postgres().start();
    await untilRecorded();
    system.postgres().kill('SIGKILL');
    await system.postgres().stop();
    await sponsor(3);
    await system.postgres().start();
    await untilRecorded();
  });
});
