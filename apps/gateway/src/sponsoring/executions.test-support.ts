import { ProcessorShares } from '@forecourt/admission';
import { jest } from '@jest/globals';
import {
  type ClaimReservationMessage,
  type CurrentUsage,
  ForecourtError,
  type FoundReservation,
  type ReadUsagesMessage,
} from '@forecourt/contracts';
import { type AccessRule, type Hook, HookCaller, type UsageLimit } from '@forecourt/policy/access';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LOGGER, REDIS } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { AccessAudit, type AuditedDecision } from '../access/access-audit.js';
import { AccessPolicy, type CallerRules } from '../access/access-policy.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ExecutionsService } from './executions.service.js';
import { DecisionFacts } from './decision-facts.js';
import { LedgerChecks } from './ledger-checks.js';
import { Outcomes } from './outcomes.js';
import { RefusalLimit } from './refusal-limit.js';
import { ReservationsService } from './reservations.service.js';
import { TransactionDecisions } from './transaction-decisions.js';
import { ForecastChecks } from './forecast-checks.js';
import { quarantineLimit } from './transaction-decisions.test-support.js';
import { TransactionReader } from './transaction-reader.js';
import { QueueBound } from './queue-bound.js';
import { LandedTransactions } from './landed-transactions.js';

export const REFERENCE_PRICE = 1_000n;
export const MAX_RATIO = 5;
const effects = { transactionDigest: 'D', status: { status: 'success' } };
const MOST = 9n;
const windowMs = 60_000;
/** The usage that the claim must find, of the limit on the rule that decides. */
const expected = { operator: '<=', limit: String(MOST), amount: '1', expected: true, held: true };
export const usage = [{ counter: 'a', counts: 'requests', windowMs, ...expected }];
export const CLAIMED = { claimed: true, fence: 2, sponsor: '0x5' };
const coin = { objectId: '0xa', version: 1, digest: 'C' };

/** A reservation in this state, bound to the transaction `D` unless it says otherwise. */
export const found = (
  state: FoundReservation['state'],
  digest: string | null = 'D',
): FoundReservation => ({
  reservationId: 64,
  sponsor: '0x5',
  gasBudget: 9,
  coins: [coin],
  durationSecs: 60,
  mayLeaveDust: false,
  state,
  digest,
  fence: 1,
  refusal: { digest: 'earlier', fence: 1, message: 'no' },
});

/** Deeds of a call outside of the gateway, or that others pay for. */
const DEEDS = [
  'status read',
  'pauses asked',
  'room asked',
  'rules asked',
  'hooks called',
  'inputs looked up',
  'landed looked up',
  'claims',
  'claims audited',
  'jobs enqueued',
  'releases',
  'usages read',
  'refusals counted',
  'failures suspected',
  'failures excused',
  'outcomes awaited',
] as const;
type Deed = (typeof DEEDS)[number];

/**
 * How often a call did what, in whatever order, and how it ended: with `effects`, or with the code of an
 * error.
 */
interface ObservedCall {
  readonly end: string;
  readonly did: Readonly<Record<Deed, number>>;
}

export interface Surroundings {
  /**
   * Successive answers of the coin-pool about the reservation, the last one again and again; null: no record.
   */
  readonly finds?: readonly (FoundReservation | null)[];
  /** Successive answers to a claim, the last one again and again. */
  readonly claims?: readonly (object | (() => object))[];
  /** The current values of counters. */
  readonly usages?: () => readonly CurrentUsage[];
  /** The deed that is refused, and with which error. */
  readonly refuses?: readonly [deed: Deed, error: Error];
  readonly hasLanded?: boolean;
  readonly gasPrice?: bigint;
  readonly allowsGasPrice?: boolean;
  readonly releasesOnDenial?: boolean;
  /** The rule that decides denies the transaction. */
  readonly denies?: boolean;
  /** Most transactions that the rule allows. */
  readonly limit?: bigint;
  /** A hook decides. */
  readonly needsHook?: boolean;
  /** The sender is an abstract account. */
  readonly hasAccount?: boolean;
  /** The configuration allows abstract accounts. */
  readonly allowAbstractAccounts?: boolean;
  /** Whether a rule may allow abstract accounts, and whether the one that decides does. */
  readonly accountRule?: 'none' | 'another decides' | 'decides';
  /** Replaces the access rules that the settings above describe. */
  readonly accessPolicy?: AccessPolicy;
}

/** A rule that allows every transaction that meets these conditions. */
const aRule = (name: string, ...conditions: AccessRule['conditions']): AccessRule => ({
  name,
  line: 1,
  conditions,
  commandKinds: null,
  namesFunction: null,
  sponsors: null,
  limits: [],
  action: 'allow',
  message: null,
});

/** Rules of which `swaps` decides. */
function rulesOf(surroundings: Surroundings, onRequest: () => void): CallerRules {
  const { allowsGasPrice, accountRule = 'none', limit: most = MOST } = surroundings;
  const condition = (name: string, holds = () => true) =>
    ({ name, text: '', needs: 'transaction', holds }) as const;
  const requests = condition('asked', () => (onRequest(), true));
  const ofPrice = condition('gas-price-ratio');
  const ofAccount = condition('abstract-account');
  const comparison = { operator: '<=', limit: most } as const;
  const period = { windowMs, until: null } as const;
  const counted = { counts: 'requests', counter: 'a', countBy: [] } as const;
  const limit = { ...counted, comparison, ...period, budget: null };
  const hook = { url: 'http://hook.example' } as Hook;
  const swaps: AccessRule = {
    ...aRule('swaps', requests),
    conditions: [
      requests,
      ...(allowsGasPrice ? [ofPrice] : []),
      ...(accountRule === 'decides' ? [ofAccount] : []),
    ],
    ...(surroundings.denies ? { action: 'deny' } : { limits: [limit] }),
    ...(surroundings.needsHook && { action: hook }),
  };
  return {
    ruleSet: {
      policy: 'deny-all',
      rules: [swaps, ...(accountRule === 'none' ? [] : [aRule('accounts', ofAccount)])],
    },
    caps: [],
    budget: { token: 'shop', isShared: false, limits: [] },
    dryRun: false,
    releasesOnDenial: surroundings.releasesOnDenial ?? false,
  };
}

/**
 * A gateway beside stand-ins for the coin-pool, the ledger and the access rules, which count what it asks of
 * them.
 */
export async function aGateway(surroundings: Surroundings = {}) {
  const { finds = [found('reserved', null)], claims = [CLAIMED], hasLanded = false } = surroundings;
  const { gasPrice = REFERENCE_PRICE, refuses } = surroundings;
  const { hasAccount = false, allowAbstractAccounts = false } = surroundings;
  const did = new Map<Deed, number>();
  let openWatches = 0;
  const messages: ClaimReservationMessage[] = [];
  const requests: unknown[] = [];
  const next = <T>(answers: T[]) => (answers.length > 1 ? answers.shift()! : answers[0]!);
  const [nextFind, nextClaim] = [finds.slice(), claims.slice()];
  const note = (deed: Deed, what?: unknown) => {
    did.set(deed, (did.get(deed) ?? 0) + 1);
    if (what !== undefined) requests.push(what);
    if (refuses?.[0] === deed) throw refuses[1];
  };
  const transaction = {
    digest: 'D',
    sender: '0x1',
    gasOwner: '0x5',
    gasPayment: [coin],
    gasBudget: 1n,
    gasPrice,
    expirationEpoch: null,
    gasCoinUses: [],
    ownedInputs: [],
    receivedInputs: [],
    sharedInputs: [],
    packages: [],
    commandKinds: ['MoveCall'],
  };
  const ledger = {
    status: async () => (note('status read'), { epoch: 1n, referenceGasPrice: REFERENCE_PRICE }),
    decodeTransaction: () => transaction,
    abstractAccount: () =>
      hasAccount ? { address: transaction.sender, immutable: [], shared: [] } : null,
    unsupportedSignature: () => 'not allowed here',
    verifyTransactionSignature: async () => true,
  };
  const coinPool = {
    async findReservation() {
      const answer = next(nextFind);
      return answer ? { found: answer } : { found: null, everHeld: false };
    },
    async claimReservation(message: ClaimReservationMessage) {
      note('claims');
      messages.push(message);
      const reply = next(nextClaim);
      return reply instanceof Function ? reply() : reply;
    },
    enqueueClaim: async () => note('jobs enqueued'),
    async readUsages({ sponsor, counters }: ReadUsagesMessage) {
      note('usages read', { sponsor, counters });
      return { sponsor, usages: surroundings.usages?.() ?? [] };
    },
    releaseReservation: async (message: unknown) => note('releases', message),
  };
  const { accessPolicy = { rulesOf: () => rulesOf(surroundings, () => note('rules asked')) } } =
    surroundings;
  const hooks = {
    wouldCall: () => true,
    ask: async () => (note('hooks called'), { decision: 'allow', userMessage: null }),
  };
  const audit = {
    requireWritable: () => undefined,
    write({ outcome }: AuditedDecision) {
      if (outcome === 'allow') note('claims audited');
    },
  };
  const outcomes = {
    gateway: 'g',
    watch: () => ((openWatches += 1), { close: () => (openWatches -= 1) }),
    wait: async () => (note('outcomes awaited'), effects),
  };
  const landed = {
    async findOrRefuse(_caller: string, _digest: string, refusal: Error) {
      note('landed looked up');
      if (!hasLanded) throw refusal;
      return { effects };
    },
  };
  const inputs = [{ objectId: '0x9', version: 4, digest: 'I' }];
  const module = await Test.createTestingModule({
    providers: [
      ExecutionsService,
      RefusalLimit,
      ReservationsService,
      TransactionDecisions,
      DecisionFacts,
      { provide: ProcessorShares, useFactory: () => new ProcessorShares() },
      { provide: ForecastChecks, useValue: {} },
      TransactionReader,
      { provide: LEDGER, useValue: ledger },
      { provide: REDIS, useValue: {} },
      { provide: LOGGER, useValue: { debug: () => undefined } },
      {
        provide: GATEWAY_CONFIG,
        useValue: {
          maxGasPriceRatio: MAX_RATIO,
          maxRefusedExecutions: 9,
          allowAbstractAccounts,
        },
      },
      { provide: CoinPoolClient, useValue: coinPool },
      { provide: AccessAudit, useValue: audit },
      { provide: AccessPolicy, useValue: accessPolicy },
      { provide: HookCaller, useValue: hooks },
      { provide: CallerLimits, useValue: { quarantineLimit: () => quarantineLimit } },
      {
        provide: Pauses,
        useValue: { requireRunning: (scope: unknown) => note('pauses asked', scope) },
      },
      {
        provide: LedgerChecks,
        useValue: { check: async (caller: string) => (note('inputs looked up', caller), inputs) },
      },
      { provide: QueueBound, useValue: { requireRoom: async () => note('room asked') } },
      { provide: LandedTransactions, useValue: landed },
      { provide: Outcomes, useValue: outcomes },
    ],
  }).compile();
  const refusals = module.get(RefusalLimit);
  jest.spyOn(refusals, 'count').mockImplementation(async () => note('refusals counted'));
  jest.spyOn(refusals, 'suspect').mockImplementation(async () => note('failures suspected'));
  jest.spyOn(refusals, 'excuse').mockImplementation(async () => note('failures excused'));
  const caller = { ...CONFIGURED_CALLER, name: 'shop:0x1', token: 'shop' };
  const request = {
    requestId: 'r',
    refusal: {},
    reservationId: 64,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    requestType: 'waitForEffectsCert',
    header: () => undefined,
  } as const;
  const executions = module.get(ExecutionsService);
  return {
    async execute(budget: readonly UsageLimit[] = []): Promise<ObservedCall> {
      did.clear();
      const end = await executions.execute({ ...request, caller: { ...caller, budget } }).then(
        (returned) => (returned === effects ? 'effects' : 'other effects'),
        (error: Error) => (error instanceof ForecourtError ? error.code : String(error)),
      );
      if (openWatches > 0) throw new Error('the call has left its watch open');
      const counts = DEEDS.map((deed) => [deed, did.get(deed) ?? 0] as const);
      return { end, did: Object.fromEntries(counts) as Record<Deed, number> };
    },
    requests,
    messages,
  };
}
