import { jest } from '@jest/globals';
import {
  type ClaimReservationMessage,
  type CurrentUsage,
  ForecourtError,
  type FoundReservation,
  type ReadUsagesMessage,
} from '@forecourt/contracts';
import type { UsageLimit } from '@forecourt/policy/access';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LOGGER, REDIS } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { AccessPolicy } from '../access/access-policy.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ExecutionsService } from './executions.service.js';
import { LedgerChecks } from './ledger-checks.js';
import { Outcomes } from './outcomes.js';
import { QueueBound } from './queue-bound.js';
import { RefusalLimit } from './refusal-limit.js';
import { ReservationsService } from './reservations.service.js';
import { TransactionAccess } from './transaction-access.js';
import { TransactionReader } from './transaction-reader.js';

export const REFERENCE_PRICE = 1_000n;
export const MAX_RATIO = 5;
export const effects = { transactionDigest: 'D', status: { status: 'success' } };
export const quarantineLimit = { most: 3, windowMs: 60_000 };
export const usage = [{ counter: 'a', counts: 'requests', amount: '1' }];
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

export interface Surroundings {
  /** Successive answers of the coin-pool about the reservation, the last one again and again; null: no record. */
  readonly finds?: readonly (FoundReservation | null)[];
  /** Successive answers to a claim, the last one again and again. */
  readonly claims?: readonly (object | (() => object))[];
  /** The current values of counters. */
  readonly usages?: () => readonly CurrentUsage[];
  /** The step that refuses, and its error. */
  readonly refuses?: readonly [step: string, error: Error];
  readonly hasLanded?: boolean;
  readonly gasPrice?: bigint;
  readonly allowsGasPrice?: boolean;
  readonly freesDenied?: boolean;
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

/** A gateway whose collaborators record their steps, in order, and the end of each call as its last step. */
export async function aGateway(surroundings: Surroundings = {}) {
  const { finds = [found('reserved', null)], claims = [CLAIMED], hasLanded = false } = surroundings;
  const { gasPrice = REFERENCE_PRICE, needsHook = false, refuses } = surroundings;
  const { allowsGasPrice = false, freesDenied = false, hasAccount = false } = surroundings;
  const { allowAbstractAccounts = false, accountRule = 'none' } = surroundings;
  const steps: string[] = [];
  const messages: ClaimReservationMessage[] = [];
  const asked: unknown[] = [];
  const next = <T>(answers: T[]) => (answers.length > 1 ? answers.shift()! : answers[0]!);
  const [nextFind, nextClaim] = [finds.slice(), claims.slice()];
  const step = (name: string, what?: unknown) => {
    steps.push(name);
    if (what !== undefined) asked.push(what);
    if (refuses?.[0] === name) throw refuses[1];
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
  };
  const ledger = {
    status: async () => ({ epoch: 1n, referenceGasPrice: REFERENCE_PRICE }),
    decodeTransaction: () => transaction,
    abstractAccount: () =>
      hasAccount ? { address: transaction.sender, immutable: [], shared: [] } : null,
    unsupportedSignature: () => 'not allowed here',
    verifyTransactionSignature: async () => (step('verify'), true),
  };
  const coinPool = {
    async findReservation() {
      step('find');
      const answer = next(nextFind);
      return answer ? { found: answer } : { found: null, everHeld: false };
    },
    async claimReservation(message: ClaimReservationMessage) {
      step('claim');
      messages.push(message);
      const reply = next(nextClaim);
      return reply instanceof Function ? reply() : reply;
    },
    enqueueClaim: async () => step('enqueue'),
    async readUsages({ sponsor, counters }: ReadUsagesMessage) {
      step('read usages', { sponsor, counters });
      return { sponsor, usages: surroundings.usages?.() ?? [] };
    },
    releaseReservation: async (message: unknown) => step('release', message),
  };
  const question = {
    ruleName: 'swaps',
    allowsGasPrice,
    allowsAbstractAccount: accountRule === 'decides',
    mayAllowAbstractAccounts: accountRule !== 'none',
    freesDenied,
    decideWithoutCalls: async () => (step('decide'), needsHook ? null : usage),
    decide: async () => (step(needsHook ? 'hook' : 'decide'), usage),
    learn: (learned: unknown) => step('learn', learned),
    auditClaim: () => step('audit'),
  };
  const { accessPolicy = { ask: () => question } } = surroundings;
  const outcomes = {
    gateway: 'g',
    watch: () => ({ close: () => steps.push('close') }),
    wait: async () => (step('wait'), effects),
    async findLanded(_question: unknown, refusal: Error) {
      step('look up');
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
      TransactionAccess,
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
      { provide: AccessPolicy, useValue: accessPolicy },
      { provide: CallerLimits, useValue: { quarantineLimit: () => quarantineLimit } },
      {
        provide: Pauses,
        useValue: { requireRunning: (scope: unknown) => step('running', scope) },
      },
      {
        provide: LedgerChecks,
        useValue: { check: async (caller: string) => (step('inputs', caller), inputs) },
      },
      {
        provide: QueueBound,
        useValue: {
          requireRoom: async () => step('room'),
        },
      },
      { provide: Outcomes, useValue: outcomes },
    ],
  }).compile();
  const refusals = module.get(RefusalLimit);
  jest.spyOn(refusals, 'count').mockImplementation(async () => step('count'));
  jest.spyOn(refusals, 'suspecting').mockImplementation((_caller, claim) => {
    step('suspect');
    return claim();
  });
  jest.spyOn(refusals, 'excuse').mockImplementation(async () => step('excuse'));
  const caller = { ...CONFIGURED_CALLER, name: 'shop:0x1', token: 'shop' };
  const request = {
    requestId: 'r',
    reservationId: 64,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    requestType: 'waitForEffectsCert',
    header: () => undefined,
  } as const;
  const executions = module.get(ExecutionsService);
  return {
    /** Returns the steps of a call; the last one is its end. */
    async execute(budget: readonly UsageLimit[] = []): Promise<readonly string[]> {
      steps.length = 0;
      try {
        const returned = await executions.execute({ ...request, caller: { ...caller, budget } });
        if (returned !== effects) throw new Error('other effects');
        return [...withoutClose(steps), 'effects'];
      } catch (error) {
        const end = error instanceof ForecourtError ? error.code : String(error);
        return [...withoutClose(steps), end];
      }
    },
    asked,
    messages,
  };
}

/** The watch is closed, and that is the last step. */
function withoutClose(steps: readonly string[]): readonly string[] {
  if (steps.at(-1) !== 'close') throw new Error(`Watch not closed last: ${steps.join()}`);
  return steps.slice(0, -1);
}
