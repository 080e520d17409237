import { describe, expect, it } from '@jest/globals';
import {
  ForecourtError,
  GAS_BUDGET_BOUNDS,
  type UnpaidTransactionRequest,
} from '@forecourt/contracts';
import { MAX_NAMED_OBJECTS, type UnsignedTransaction } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import { DryRunTx } from './dry-run-tx.js';

const full = (digit: string) => `0x${digit.repeat(64)}`;
const [SENDER, SPONSOR] = [full('1'), full('5')];
const REFERENCE_PRICE = 1_000n;
const MAX_BUDGET = 50_000_000;
const kindBytes = Buffer.from('kind').toString('base64');
const caller = { name: 'shop', token: 'shop', sender: null } as Caller;

interface Surroundings {
  readonly request?: Partial<UnpaidTransactionRequest>;
  readonly of?: Partial<Caller>;
  readonly refuses?: string;
  /** What the transaction that was assembled decodes to, besides its gas. */
  readonly decoded?: object;
  readonly computationCost?: string;
  readonly dryRun?: object;
  /** A sponsor that is paused. */
  readonly paused?: string;
  readonly maxGasBudget?: number;
}

async function tryOut({
  request,
  of,
  refuses,
  decoded,
  computationCost = '1000000',
  dryRun,
  paused,
  maxGasBudget = MAX_BUDGET,
}: Surroundings = {}) {
  const steps: string[] = [];
  const previews: Record<string, unknown>[] = [];
  const checked: unknown[] = [];
  const step = (name: string) => {
    steps.push(name);
    if (name === refuses) throw new ForecourtError('DRY_RUN_LIMIT');
  };
  const simulated = { effects: { gasUsed: { computationCost, storageCost: '0' } } };
  const ledger = {
    status: async () => ({ referenceGasPrice: REFERENCE_PRICE, epoch: 7n }),
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
      packages: [],
      ...decoded,
    }),
    dryRun: async () => {
      step('dry run');
      return dryRun ?? { kind: 'accepted', simulated };
    },
  };
  const dryRunTx = new DryRunTx(
    { maxGasBudget },
    ledger as never,
    { count: async () => step('limit') } as never,
    {
      checkReservation(_caller: unknown, asked: unknown) {
        checked.push(asked);
        step('check');
      },
    } as never,
    {
      async readUsages({ sponsor = SPONSOR }: { sponsor?: string }) {
        step('sponsor');
        return { sponsor, usages: [] };
      },
    } as never,
    {
      async run(_caller: unknown, execution: Record<string, unknown>) {
        step('preview');
        previews.push(execution);
        return { refusal: null };
      },
    } as never,
    {
      requireRoom: () => step('room'),
      count: async () => step('counted'),
    } as never,
    { decide: async (_at: unknown, look: () => Promise<unknown>) => look() } as never,
    {
      requireRunning({ sponsor }: { sponsor?: string }) {
        if (sponsor !== undefined && sponsor === paused) throw new ForecourtError('PAUSED');
        step('running');
      },
    } as never,
  );
  const outcome = await dryRunTx
    .run(
      { ...caller, ...of },
      { sender: SENDER, kind_bytes: kindBytes, ...request },
      {
        header: () => undefined,
      },
    )
    .catch((error: ForecourtError) => error);
  const failure = outcome instanceof Error ? outcome.code : null;
  const transaction = outcome instanceof Error ? null : outcome.transaction;
  return { failure, transaction, steps, previews, checked };
}

describe('a transaction that is tried out', () => {
  it('is dry-run with the sponsor’s gas, and judged with the budget that it needs', async () => {
    const { failure, transaction, steps, previews, checked } = await tryOut();
    expect(failure).toBeNull();
    expect(steps).toEqual([
      'running',
      'check',
      'limit',
      'room',
      'sponsor',
      'running',
      'dry run',
      'preview',
    ]);
    // A fifth more than it cost, and the least computation there is.
    const needed = { gasOwner: SPONSOR, gasPrice: REFERENCE_PRICE, gasBudget: 2_200_000n };
    expect(transaction).toMatchObject(needed);
    expect(previews).toMatchObject([
      { sponsor: SPONSOR, durationSecs: 60, mayLeaveDust: false, reservationId: 0 },
    ]);
    expect(previews[0]!['transaction']).toBe(transaction);
    expect(checked).toEqual([{ gasBudget: MAX_BUDGET, durationSecs: 60, sponsor: undefined }]);
  });

  it('is judged with the budget and the sponsor that its caller names', async () => {
    const other = full('6');
    const named = { gas_budget: 3_000_000, sponsor_address: other };
    const { transaction, checked } = await tryOut({ request: named });
    expect(transaction).toMatchObject({ gasBudget: 3_000_000n, gasOwner: other });
    expect(checked).toMatchObject([{ gasBudget: 3_000_000, sponsor: other }]);
  });

  it('needs no more than may be asked for', async () => {
    const { transaction } = await tryOut({ computationCost: '49000000' });
    expect(transaction).toMatchObject({ gasBudget: BigInt(MAX_BUDGET) });
  });

  it('asks for no more than the contract allows, whatever the compatibility port may reserve', async () => {
    const { transaction, checked } = await tryOut({
      computationCost: '4000000000',
      maxGasBudget: 5_000_000_000,
    });
    expect(checked).toMatchObject([{ gasBudget: GAS_BUDGET_BOUNDS.max }]);
    expect(transaction).toMatchObject({ gasBudget: BigInt(GAS_BUDGET_BOUNDS.max) });
  });

  it.each(['running', 'check', 'limit', 'room', 'sponsor'])(
    'costs the node nothing when refused by: %s',
    async (refuses) => {
      const { failure, steps } = await tryOut({ refuses });
      expect([failure, steps.at(-1)]).toEqual(['DRY_RUN_LIMIT', refuses]);
    },
  );

  it('is refused for a sender that is not its user’s', async () => {
    const { failure, steps } = await tryOut({ of: { sender: full('2') } });
    expect([failure, steps.at(-1)]).toEqual(['FORBIDDEN', 'room']);
  });

  it.each<[string, object]>([
    ['GAS_COIN_USED', { gasCoinUses: ['command 0'] }],
    ['TRANSACTION_EXPIRED', { expirationEpoch: 6n }],
    ['TOO_MANY_OBJECTS', { packages: Array<string>(MAX_NAMED_OBJECTS + 1).fill('0x1') }],
  ])('is refused with %s before it is dry-run', async (code, decoded) => {
    const { failure, steps } = await tryOut({ decoded });
    expect([failure, steps.at(-1)]).toEqual([code, 'running']);
  });

  it.each<[string, Surroundings]>([
    ['that its caller has chosen', { request: { sponsor_address: SPONSOR } }],
    ['that the pool has chosen', {}],
  ])('is refused while the sponsor is paused %s', async (_which, surroundings) => {
    const { failure, steps } = await tryOut({ ...surroundings, paused: SPONSOR });
    expect([failure, steps.includes('dry run')]).toEqual(['PAUSED', false]);
  });

  it('counts against its caller when the ledger refuses it', async () => {
    const refused = { kind: 'refused', message: 'no such object' };
    const { failure, steps } = await tryOut({ dryRun: refused });
    expect([failure, steps.at(-1)]).toEqual(['REFUSED_BY_LEDGER', 'counted']);
  });
});
