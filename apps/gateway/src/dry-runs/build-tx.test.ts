import { describe, expect, it } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';
import type { UnsignedTransaction } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import { BuildTx } from './build-tx.js';

const [SENDER, SPONSOR] = [`0x${'1'.repeat(64)}`, `0x${'5'.repeat(64)}`];
const coin = { objectId: '0xa', version: 1, digest: 'C' };
const reserved = { reservationId: 64, sponsor: SPONSOR, coins: [coin], deadlineMs: 1_000 };
const tried = { sender: SENDER, expirationEpoch: null, gasPrice: 1_000n, gasBudget: 500n };
const refusal = new ForecourtError('FORBIDDEN', 'not allowed');

interface Surroundings {
  readonly status?: object;
  /** What the access rules say of the dry run, and of the transaction that is built. */
  readonly refusals?: readonly (ForecourtError | null)[];
  readonly mayLeaveDust?: boolean;
  /** What the built transaction decodes to, besides its gas. */
  readonly decoded?: object;
  readonly durationSecs?: number;
}

async function build({
  status = { status: 'success' },
  refusals = [null, null],
  mayLeaveDust,
  decoded,
  durationSecs,
}: Surroundings = {}) {
  const asked: unknown[] = [];
  const previews: unknown[] = [];
  const released: unknown[] = [];
  const ledger = {
    status: async () => ({ epoch: 7n }),
    kindBytesOf: () => 'kind',
    assembleTransaction: (transaction: UnsignedTransaction) => transaction,
    decodeTransaction: ({ gas, sender, expirationEpoch }: UnsignedTransaction) => ({
      sender,
      expirationEpoch,
      gasOwner: gas.owner,
      gasPayment: gas.payment,
      gasPrice: gas.price,
      gasBudget: gas.budget,
      gasCoinUses: [],
      ownedInputs: [],
      receivedInputs: [],
      sharedInputs: [],
      ...decoded,
    }),
  };
  const buildTx = new BuildTx(
    ledger as never,
    {
      run: async () => ({
        transaction: tried,
        preview: { refusal: refusals[0] },
        simulated: { effects: { status } },
      }),
    } as never,
    {
      async run(_caller: unknown, request: unknown) {
        asked.push(request);
        return { ...reserved, ...(mayLeaveDust !== undefined && { mayLeaveDust }) };
      },
    } as never,
    {
      async run(_caller: unknown, execution: unknown) {
        previews.push(execution);
        return { refusal: refusals[1] };
      },
    } as never,
    { run: async (message: unknown) => void released.push(message) } as never,
  );
  const request = { sender: SENDER, ...(durationSecs && { reserve_duration_secs: durationSecs }) };
  const outcome = await buildTx
    .run({ name: 'shop' } as Caller, request, { requestId: 'r', header: () => undefined })
    .catch((error: Error) => error);
  return { outcome, asked, previews, released };
}

describe('a transaction that is built', () => {
  it('pays with the coins that are reserved for what it needs', async () => {
    const { outcome, asked, previews, released } = await build({ mayLeaveDust: false });
    expect(outcome).toMatchObject({
      transaction: { sender: SENDER, gasOwner: SPONSOR, gasPayment: [coin], gasBudget: 500n },
      reserved,
    });
    expect(asked).toEqual([
      { requestId: 'r', gasBudget: 500, durationSecs: 60, sponsor: undefined },
    ]);
    const as = { sponsor: SPONSOR, durationSecs: 60, mayLeaveDust: false, reservationId: 64 };
    expect(previews).toMatchObject([as]);
    expect(released).toEqual([]);
  });

  it('is reserved for as long as its caller asks, and may leave dust unless the coin-pool says otherwise', async () => {
    const { asked, previews } = await build({ durationSecs: 9 });
    expect(asked).toMatchObject([{ durationSecs: 9 }]);
    expect(previews).toMatchObject([{ durationSecs: 9, mayLeaveDust: true }]);
  });

  it('reserves nothing when the rules refuse it, or it would fail', async () => {
    const refused = await build({ refusals: [refusal] });
    expect([refused.outcome, refused.asked]).toEqual([refusal, []]);
    const failing = await build({ status: { status: 'failure', error: 'MoveAbort 7' } });
    expect(failing.outcome).toMatchObject({
      code: 'TRANSACTION_WOULD_FAIL',
      message: expect.stringContaining('MoveAbort 7'),
    });
    expect(failing.asked).toEqual([]);
  });

  it.each<[string, Surroundings]>([
    ['FORBIDDEN', { refusals: [null, refusal] }],
    ['RESERVED_COIN_IS_INPUT', { decoded: { ownedInputs: [coin] } }],
    ['TRANSACTION_EXPIRED', { decoded: { expirationEpoch: 6n } }],
  ])('releases its coins when it is refused with them: %s', async (code, surroundings) => {
    const { outcome, asked, released } = await build(surroundings);
    expect([outcome, asked.length]).toMatchObject([{ code }, 1]);
    expect(released).toEqual([{ caller: 'shop', reservationId: 64 }]);
  });
});
