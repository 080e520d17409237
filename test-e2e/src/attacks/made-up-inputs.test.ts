import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { toBase58 } from '@iota/iota-sdk/utils';
import { type Answer, buildSponsored, executeTx, reserved } from '../support/application.js';
import { MAX_REFUSED, system } from '../support/systems/token-system.js';

const READ = 'iota_multiGetObjects';

const madeUp = () => ({
  objectId: `0x${randomBytes(32).toString('hex')}`,
  version: 7,
  digest: toBase58(randomBytes(32)),
});

/** Answers to transactions with this many made-up inputs, and the reads of the node that they cost. */
async function costOf(inputs: number, times = 1): Promise<{ answers: Answer[]; reads: number }> {
  const reservation = await reserved(system.application);
  const transactions = [];
  for (let i = 0; i < times; i++) {
    const build = (tx: Parameters<typeof addInputs>[0]) => addInputs(tx, inputs);
    transactions.push(await buildSponsored(system.application, reservation, { build }));
  }
  const before = await system.control.requestsOf(READ);
  const answers = [];
  for (const transaction of transactions) {
    answers.push(await executeTx(system.application, reservation, transaction));
  }
  return { answers, reads: (await system.control.requestsOf(READ)) - before };
}

function addInputs(
  tx: { objectRef: (reference: ReturnType<typeof madeUp>) => unknown },
  count: number,
): void {
  for (let i = 0; i < count; i++) tx.objectRef(madeUp());
}

describe('made-up inputs', () => {
  it('cost no read beyond the number that a transaction may name', async () => {
    const { answers, reads } = await costOf(600);
    expect([answers[0]!.status, answers[0]!.body.error, reads]).toEqual([
      400,
      expect.stringMatching(
        /references too many objects and packages: 600 exceed the limit of 512/,
      ),
      0,
    ]);
  });

  it('cost one read for a hundred in one transaction', async () => {
    const { answers, reads } = await costOf(300);
    expect(answers[0]!.status).toBe(503);
    expect(answers[0]!.body.error).toMatch(/Could not find the referenced object/);
    expect(reads).toBe(1);
  });

  it('cost one read per transaction of a dozen, until the caller is limited', async () => {
    const { answers, reads } = await costOf(12, MAX_REFUSED + 2);
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: MAX_REFUSED }, () => 503),
      429,
      429,
    ]);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reads).toBe(MAX_REFUSED);
    expect((await system.totals()).coins.quarantined).toBe(0n);
  });
});
