import { ProcessorShares } from '@forecourt/admission';
import { ForecourtError } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import type { HookCaller } from '@forecourt/policy/access';
import { CONFIGURED_CALLER, type Caller } from '@forecourt/policy/tokens';
import { partial } from '@forecourt/testing/jest';
import { SUBJECT } from '../access/access-subject.test-support.js';
import type { AccessAudit } from '../access/access-audit.js';
import type { AccessPolicy } from '../access/access-policy.js';
import type { CallerLimits } from '../access/caller-limits.js';
import type { Pauses } from '../access/pauses.js';
import type { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { DecisionFacts } from './decision-facts.js';
import type { ForecastChecks } from './forecast-checks.js';
import type { LedgerChecks } from './ledger-checks.js';
import type { QueueBound } from './queue-bound.js';
import type { RefusalLimit } from './refusal-limit.js';
import type { ReservationsService } from './reservations.service.js';
import { TransactionDecisions } from './transaction-decisions.js';
import type { TransactionReader } from './transaction-reader.js';

/** The parts that a decision asks; stand-ins agree to everything else. */
interface Asked {
  readonly policy: Partial<AccessPolicy>;
  readonly audit?: Partial<AccessAudit>;
  readonly hooks?: Partial<HookCaller>;
  readonly ledger?: Partial<Ledger>;
  readonly forecast?: LedgerChecks['forecast'];
  /** The clock of shares of the processor. */
  readonly now?: () => number;
  readonly forecasts?: Partial<ForecastChecks>;
  /** Tokens whose forecasts are not trusted. */
  readonly mistrusted?: readonly string[];
}

export const quarantineLimit = { most: 3, windowMs: 60_000 };

/**
 * Prepares decisions, and previews them, each about a transaction of so many bytes that this caller presents.
 */
export function preparing(question: Asked) {
  const { policy, hooks, forecast, forecasts, mistrusted = [], now } = question;
  const requireForecasts = (token: string) => {
    if (mistrusted.includes(token)) throw new ForecourtError('PAUSED', 'missed');
  };
  const pauses = partial<Pauses>({ requireRunning: () => undefined, requireForecasts });
  const ledger = partial<Ledger>(question.ledger ?? {});
  const ledgerChecks = partial<LedgerChecks>(forecast ? { forecast } : {});
  const audit = question.audit ?? { requireWritable: () => undefined, write: () => undefined };
  const decisions = new TransactionDecisions(
    ledger,
    partial<TransactionReader>({}),
    new DecisionFacts(ledger, ledgerChecks, pauses, new ProcessorShares(now)),
    partial<AccessPolicy>(policy),
    pauses,
    partial<QueueBound>({}),
    ledgerChecks,
    partial<RefusalLimit>({}),
    partial<GatewayConfig>({ maxGasPriceRatio: 5 }),
    partial<AccessAudit>(audit),
    partial<HookCaller>(hooks ?? {}),
    partial<CallerLimits>({ quarantineLimit: () => quarantineLimit }),
    partial<CoinPoolClient>({}),
    partial<ReservationsService>({ releaseUnused: () => Promise.resolve() }),
    partial<ForecastChecks>(forecasts ?? {}),
  );
  const preview = (of: Partial<Caller>) =>
    decisions.preview(
      { ...CONFIGURED_CALLER, ...of },
      { ...SUBJECT, sponsor: SUBJECT.transaction.gasOwner, durationSecs: 60, mayLeaveDust: false },
    );
  const prepare = (of: Partial<Caller> = {}, length = 3) => {
    const { reservation, transaction, referenceGasPrice, ...request } = SUBJECT;
    const refusal: { rule?: string } = {};
    const caller = { ...CONFIGURED_CALLER, ...of };
    const requestType = 'waitForEffectsCert' as const;
    const decision = decisions.prepare(
      { ...request, caller, requestId: 'r-1', refusal, requestType },
      { ...transaction, bytes: new Uint8Array(length) },
      {
        ...reservation,
        sponsor: transaction.gasOwner,
        reservationId: 64,
        mayLeaveDust: false,
        coins: [],
        state: 'reserved',
        digest: null,
        fence: 0,
        refusal: null,
      },
      { referenceGasPrice: referenceGasPrice!, epoch: 1n } as Parameters<
        typeof decisions.prepare
      >[3],
    );
    return { decision, refusal };
  };
  return Object.assign(prepare, { decisions, preview });
}
