import { describe, expect, it } from '@jest/globals';
import {
  type BuildTxRequest,
  ForecourtError,
  GAS_BUDGET_BOUNDS,
  type ReservedGas,
} from '@forecourt/contracts';
import { MAX_NAMED_OBJECTS, type UnsignedTransaction } from '@forecourt/ledger';
import { type Caller, CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { Test } from '@nestjs/testing';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { DryRunsService } from './dry-runs.service.js';
import { LedgerChecks } from './ledger-checks.js';
import { RefusalLimit } from './refusal-limit.js';
import type { GasRequest } from '../access/caller-limits.js';
import { ReservationsService } from './reservations.service.js';
import { TransactionReader } from './transaction-reader.js';
import { type PreviewedTransaction, TransactionDecisions } from './transaction-decisions.js';

const full = (digit: string) => `0x${digit.repeat(64)}`;
const [SENDER, SPONSOR] = [full('1'), full('5')];
const REFERENCE_PRICE = 1_000n;
const MAX_BUDGET = 50_000_000;
const kindBytes = Buffer.from('kind').toString('base64');
const coin = { objectId: '0xa', version: 1, digest: 'C' };
const reserved: ReservedGas = {
  reservationId: 64,
  sponsor: SPONSOR,
  coins: [coin],
  deadlineMs: 1_000,
  mayLeaveDust: true,
};
const refusal = new ForecourtError('FORBIDDEN', 'not allowed');

interface Surroundings {
  readonly request?: Partial<BuildTxRequest>;
  readonly of?: Partial<Caller>;
  /** The check that refuses. */
  readonly refuses?: 'request' | 'room' | 'sponsor';
  /** Fields that assembled transactions decode to, besides their gas: of those with coins, and of all. */
  readonly decodedWithCoins?: object;
  readonly decoded?: object;
  readonly computationCost?: string;
  readonly maxGasBudget?: number;
  readonly status?: object;
  /** The decisions of the access rules about the dry run, and about the built transaction. */
  readonly refusals?: readonly (ForecourtError | null)[];
  readonly mayLeaveDust?: boolean;
}

/** A gateway beside stand-ins for the ledger, the coin-pool and the access rules. */
async function aGateway(surroundings: Surroundings) {
  const { refuses, decoded, decodedWithCoins, mayLeaveDust } = surroundings;
  const { computationCost = '1000000', maxGasBudget = MAX_BUDGET } = surroundings;
  const { status = { status: 'success' }, refusals = [null, null] } = surroundings;
  const ledgerCalls: string[] = [];
  const previews: PreviewedTransaction[] = [];
  const checked: GasRequest[] = [];
  const requests: GasRequest[] = [];
  const released: unknown[] = [];
  const check = (name: Surroundings['refuses']) => {
    if (name === refuses) throw new ForecourtError('DRY_RUN_LIMIT');
  };
  const ledger = {
    status: async () => ({ referenceGasPrice: REFERENCE_PRICE, epoch: 7n }),
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
      packages: [],
      digest: 'D',
      bytes: Uint8Array.of(gas.payment.length),
      ...decoded,
      ...(gas.payment.length > 0 && decodedWithCoins),
    }),
  };
  const reservations = {
    requireReservable(_caller: unknown, request: GasRequest) {
      checked.push(request);
      check('request');
    },
    findSponsor: async (_caller: unknown, { sponsor = SPONSOR }: GasRequest) => (
      check('sponsor'),
      sponsor
    ),
    async reserve(_caller: unknown, request: GasRequest) {
      requests.push(request);
      return { ...reserved, ...(mayLeaveDust !== undefined && { mayLeaveDust }) };
    },
    releaseUnused: async (message: unknown) => void released.push(message),
  };
  const counted: string[] = [];
  const access = {
    async preview(_caller: unknown, previewed: PreviewedTransaction) {
      previews.push(previewed);
      return { refusal: refusals[previews.length - 1] };
    },
    requireAllowed(_call: unknown, { refusal }: { refusal?: Error }) {
      if (refusal) throw refusal;
    },
  };
  const simulated = { effects: { status, gasUsed: { computationCost, storageCost: '0' } } };
  const module = await Test.createTestingModule({
    providers: [
      DryRunsService,
      TransactionReader,
      { provide: GATEWAY_CONFIG, useValue: { maxGasBudget, maxDryRunsPerMinute: 1 } },
      { provide: LEDGER, useValue: ledger },
      { provide: ReservationsService, useValue: reservations },
      { provide: TransactionDecisions, useValue: access },
      {
        provide: LedgerChecks,
        useValue: { dryRun: async (caller: string) => (ledgerCalls.push(caller), simulated) },
      },
      {
        provide: RefusalLimit,
        useValue: {
          requireRoom: () => check('room'),
          async counting(of: string, codes: ReadonlySet<string>, run: () => void) {
            try {
              return run();
            } catch (error) {
              if (codes.has((error as ForecourtError).code)) counted.push(of);
              throw error;
            }
          },
        },
      },
    ],
  }).compile();
  const caller = { ...CONFIGURED_CALLER, name: 'shop', ...surroundings.of };
  const call = { requestId: 'r', caller, refusal: {}, header: () => undefined };
  const request = { sender: SENDER, kind_bytes: kindBytes, ...surroundings.request };
  const service = module.get(DryRunsService);
  return { service, call, request, ledgerCalls, previews, checked, requests, released, counted };
}

/** A dry run, and its error's code if it is refused. */
async function tryOut(surroundings: Surroundings = {}) {
  const gateway = await aGateway(surroundings);
  const { service, call, request } = gateway;
  const outcome = await service.tryOut(call, request).catch((error: ForecourtError) => error);
  const failure = outcome instanceof Error ? outcome.code : null;
  const transaction = outcome instanceof Error ? null : outcome.transaction;
  return { ...gateway, failure, transaction };
}

/** A build, and its error if it is refused. */
async function build(surroundings: Surroundings = {}) {
  const gateway = await aGateway(surroundings);
  const { service, call, request } = gateway;
  const outcome = await service.build(call, request).catch((error: Error) => error);
  return { ...gateway, outcome };
}

describe('a dry run', () => {
  it('uses the sponsor’s gas, and is judged with the budget that the transaction needs', async () => {
    const { failure, transaction, ledgerCalls, previews, checked } = await tryOut();
    expect(failure).toBeNull();
    expect(ledgerCalls).toEqual(['shop']);
    // A fifth more than it cost, and the least computation there is.
    const needed = { gasOwner: SPONSOR, gasPrice: REFERENCE_PRICE, gasBudget: 2_200_000n };
    expect(transaction).toMatchObject(needed);
    expect(previews).toMatchObject([
      { sponsor: SPONSOR, durationSecs: 60, mayLeaveDust: false, reservationId: 0 },
    ]);
    expect(previews[0]!.transaction).toBe(transaction);
    expect(checked).toEqual([{ gasBudget: MAX_BUDGET, durationSecs: 60, sponsor: undefined }]);
  });

  it('is judged with the budget and the sponsor that its caller names', async () => {
    const other = full('6');
    const named = { gas_budget: 3_000_000, sponsor_address: other };
    const { transaction, checked } = await tryOut({ request: named });
    expect(transaction).toMatchObject({ gasBudget: 3_000_000n, gasOwner: other });
    expect(checked).toMatchObject([{ gasBudget: 3_000_000, sponsor: other }]);
  });

  it('needs no more than a caller may ask for', async () => {
    const { transaction } = await tryOut({ computationCost: '49000000' });
    expect(transaction).toMatchObject({ gasBudget: BigInt(MAX_BUDGET) });
  });

  it('needs no more than the contract allows, even if the compatibility port may reserve more', async () => {
    const { transaction, checked } = await tryOut({
      computationCost: '4000000000',
      maxGasBudget: 5_000_000_000,
    });
    expect(checked).toMatchObject([{ gasBudget: GAS_BUDGET_BOUNDS.max }]);
    expect(transaction).toMatchObject({ gasBudget: BigInt(GAS_BUDGET_BOUNDS.max) });
  });

  it.each(['request', 'room', 'sponsor'] as const)(
    'costs the node nothing when the check of the %s refuses it',
    async (refuses) => {
      const { failure, ledgerCalls, previews } = await tryOut({ refuses });
      expect([failure, ledgerCalls, previews]).toEqual(['DRY_RUN_LIMIT', [], []]);
    },
  );

  it('is refused beyond the caller’s limit, before it costs the node anything', async () => {
    const { service, call, request, ledgerCalls } = await aGateway({});
    await service.tryOut(call, request);
    await expect(service.tryOut(call, request)).rejects.toMatchObject({ code: 'DRY_RUN_LIMIT' });
    expect(ledgerCalls).toHaveLength(1);
  });

  it('is refused for a sender that is not its user’s', async () => {
    const { failure, ledgerCalls } = await tryOut({ of: { sender: full('2') } });
    expect([failure, ledgerCalls]).toEqual(['FORBIDDEN', []]);
  });

  it.each<[string, object]>([
    ['GAS_COIN_USED', { gasCoinUses: ['command 0'] }],
    ['TRANSACTION_EXPIRED', { expirationEpoch: 6n }],
    ['TOO_MANY_OBJECTS', { packages: Array<string>(MAX_NAMED_OBJECTS + 1).fill('0x1') }],
  ])('is refused with %s before the node is asked', async (code, decoded) => {
    const { failure, ledgerCalls } = await tryOut({ decoded });
    expect([failure, ledgerCalls]).toEqual([code, []]);
  });
});

describe('build', () => {
  it('pays with the coins that are reserved for the cost', async () => {
    const { outcome, requests, previews, released } = await build({ mayLeaveDust: false });
    expect(outcome).toMatchObject({
      transaction: { sender: SENDER, gasOwner: SPONSOR, gasPayment: [coin], gasBudget: 2_200_000n },
      reserved: { ...reserved, mayLeaveDust: false },
    });
    expect(requests).toEqual([{ gasBudget: 2_200_000, durationSecs: 60, sponsor: undefined }]);
    const as = { sponsor: SPONSOR, durationSecs: 60, mayLeaveDust: false, reservationId: 64 };
    expect(previews[1]).toMatchObject(as);
    expect(released).toEqual([]);
  });

  it('reserves for as long as its caller asks; coins may leave dust if the coin-pool says so', async () => {
    const { requests, previews } = await build({ request: { reserve_duration_secs: 9 } });
    expect(requests).toMatchObject([{ durationSecs: 9 }]);
    expect(previews[1]).toMatchObject({ durationSecs: 9, mayLeaveDust: true });
  });

  it('shows the transaction in the record of its refusal, and counts what rules refuse', async () => {
    const early = await build({ refusals: [refusal] });
    const parties = { sender: SENDER, sponsor: SPONSOR };
    expect(early.call.refusal).toEqual({ ...parties, transaction: 'AA==' });
    const late = await build({ refusals: [null, refusal] });
    expect(late.call.refusal).toEqual({ ...parties, transaction: 'AQ==', digest: 'D' });
    const failing = await build({ status: { status: 'failure', error: 'MoveAbort 7' } });
    expect(failing.call.refusal).toEqual({ ...parties, transaction: 'AA==' });
    expect([early.counted, late.counted, failing.counted]).toEqual([['shop'], ['shop'], []]);
  });

  it('reserves nothing when the rules refuse the transaction, or it would fail', async () => {
    const refused = await build({ refusals: [refusal] });
    expect([refused.outcome, refused.requests]).toEqual([refusal, []]);
    const failing = await build({ status: { status: 'failure', error: 'MoveAbort 7' } });
    expect(failing.outcome).toMatchObject({
      code: 'TRANSACTION_WOULD_FAIL',
      message: expect.stringContaining('MoveAbort 7'),
    });
    expect(failing.requests).toEqual([]);
  });

  it.each<[string, Surroundings]>([
    ['FORBIDDEN', { refusals: [null, refusal] }],
    ['RESERVED_COIN_IS_INPUT', { decodedWithCoins: { ownedInputs: [coin] } }],
    ['TRANSACTION_EXPIRED', { decodedWithCoins: { expirationEpoch: 6n } }],
  ])('releases the coins when the transaction is refused with them: %s', async (code, around) => {
    const { outcome, requests, released } = await build(around);
    expect([outcome, requests.length]).toMatchObject([{ code }, 1]);
    expect(released).toEqual([{ caller: 'shop', reservationId: 64 }]);
  });
});
