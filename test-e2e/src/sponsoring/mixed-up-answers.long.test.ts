import { afterEach, describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

const EXECUTE = 'iota_executeTransactionBlock';
const LOOK_UP = 'iota_getTransactionBlock';

afterEach(() => system.control.clearFaults());

/** The coins that the pool has, and those that it must still have. */
async function expectNothingLost(coins: unknown): Promise<void> {
  await system.control.clearFaults();
  expect((await system.settledTotals()).coins).toEqual(coins);
  expect(await system.differences()).toEqual([]);
  expect((await sponsor(system.application)).answer.status).toBe(200);
}

describe('a proxy that mixes the answers of the node up', () => {
  it.each([[EXECUTE], [LOOK_UP], [undefined]])(
    'tells no caller of another’s transaction, and takes no coin out of the pool: %s',
    async (method) => {
      const { coins } = await system.settledTotals();
      const pairs = [];
      for (let count = 0; count < 4; count++) {
        const reservation = await reserved(system.application);
        const transaction = await buildSponsored(system.application, reservation);
        pairs.push({ reservation, transaction });
      }
      // A submission is answered wrongly, and so is the look-up that follows.
      await system.control.fault({ kind: 'mixAnswers', times: 8, ...(method && { method }) });
      if (method === LOOK_UP) {
        await system.control.fault({ kind: 'loseReply', method: EXECUTE, times: 4 });
      }
      const answers = await Promise.all(
        pairs.map(({ reservation, transaction }) =>
          executeTx(system.application, reservation, transaction),
        ),
      );
      for (const [index, { status, body }] of answers.entries()) {
        const { digest } = pairs[index]!.transaction;
        expect([status, body.effects?.['transactionDigest']]).toEqual([200, digest]);
      }
      await expectNothingLost(coins);
    },
  );
});

describe('a node whose effects have numbers out of range', () => {
  it.each([
    ['above 64 bits', String(2n ** 64n)],
    ['beyond all storage', String(2n ** 63n)],
    ['negative', '-1'],
  ])('leaves the outcome open until it answers right: %s', async (_name, storageCost) => {
    const { coins } = await system.settledTotals();
    await system.control.fault({ kind: 'outOfRange', times: 2, storageCost });
    const { answer, transaction } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    const { transactionDigest, gasUsed } = answer.body.effects!;
    expect(transactionDigest).toBe(transaction.digest);
    expect(JSON.stringify(gasUsed)).not.toContain(storageCost);
    await expectNothingLost(coins);
  });
});

describe('a node whose answer has no end', () => {
  it('leaves the outcome open until it is asked again', async () => {
    const { coins } = await system.settledTotals();
    await system.control.fault({ kind: 'endless', times: 1 });
    const { answer, transaction } = await sponsor(system.application);
    expect([answer.status, answer.body.effects?.['transactionDigest']]).toEqual([
      200,
      transaction.digest,
    ]);
    await expectNothingLost(coins);
  });
});
