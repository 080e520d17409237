import {
  GAS_BUDGET_BOUNDS,
  LEDGER_MAX_GAS_BUDGET,
  RESERVE_DURATION_BOUNDS,
} from '@forecourt/contracts';
import { variable } from '@forecourt/runtime/config';

/** The limits on callers, and on the work that the gateway does for them. */
export const limitVariables = {
  maxGasBudget: variable.integer('MAX_GAS_BUDGET', {
    default: 2_000_000_000,
    max: LEDGER_MAX_GAS_BUDGET,
    unit: 'smallest unit',
    description: `Largest gas budget of a reservation. Only the compatibility port takes more than ${GAS_BUDGET_BOUNDS.max}`,
  }),
  maxReserveDurationSecs: variable.integer('MAX_RESERVE_DURATION_SECS', {
    default: RESERVE_DURATION_BOUNDS.max,
    max: RESERVE_DURATION_BOUNDS.max,
    unit: 's',
    description: 'Longest duration of a reservation',
  }),
  reserveMaxPoolShare: variable.integer('RESERVE_MAX_POOL_SHARE', {
    default: 50,
    max: 100,
    unit: '%',
    description:
      'Share that one caller may hold, reserved or in flight, of the coins that no other caller holds; beyond it 429. A single caller gets this share of the pool, and some coins always remain for others. Use 100 if there is only one caller. A token’s `reserve` overrides this limit and the next two',
  }),
  reserveMaxCoins: variable.integer('RESERVE_MAX_COINS', {
    default: 10_000,
    max: 10_000_000,
    description: 'Coins that one caller may hold at once',
  }),
  reserveMaxBudget: variable.integer('RESERVE_MAX_BUDGET', {
    default: 1_000_000_000_000,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'smallest unit',
    description: 'Sum of the gas budgets that one caller may hold at once',
  }),
  quarantineMax: variable.integer('QUARANTINE_MAX', {
    default: 20,
    max: 1_000,
    description:
      'Transactions of one caller that may end in quarantine, where they bind coins until the epoch ends, within `QUARANTINE_WINDOW_SECS`; beyond it executions get 429. A token’s `quarantine` overrides it',
  }),
  quarantineWindowSecs: variable.integer('QUARANTINE_WINDOW_SECS', {
    default: 600,
    max: 86_400,
    unit: 's',
    description: 'Length of the window of `QUARANTINE_MAX`',
  }),
  maxReservations: variable.integer('MAX_RESERVATIONS_AT_ONCE', {
    default: 1_000,
    description:
      'Concurrent reserve requests of this gateway. One token gets half of what no other uses; beyond it 503',
  }),
  maxExecutions: variable.integer('MAX_EXECUTIONS_AT_ONCE', {
    default: 5_000,
    description:
      'Concurrent execute requests of this gateway, including those that wait. One token gets half of what no other uses; beyond it 503',
  }),
  maxDryRuns: variable.integer('MAX_DRY_RUNS_AT_ONCE', {
    default: 64,
    description:
      'Concurrent requests of this gateway to dry-run or build. One token gets half of what no other uses; beyond it 503',
  }),
  maxDryRunsPerMinute: variable.integer('MAX_DRY_RUNS_PER_MINUTE', {
    default: 600,
    description:
      'Requests of one caller to dry-run or build per minute at this gateway; beyond it 429',
  }),
  maxQueued: variable.integer('MAX_QUEUED_EXECUTIONS', {
    default: 10_000,
    max: 10_000_000,
    description: 'Executions that may wait for an executor in the whole fleet; beyond it 503',
  }),
  maxRefusedExecutions: variable.integer('MAX_REFUSED_EXECUTIONS_PER_MINUTE', {
    default: 300,
    description:
      'Transactions of one caller that the ledger may refuse per minute, after look-ups, a dry run or a submission, in the whole fleet; beyond it executions get 429. What is refused for another reason after look-ups counts as well, and inputs that do not show yet until they show',
  }),
  dryRun: variable.choice('DRY_RUN', {
    default: 'doubtful',
    values: ['never', 'doubtful', 'always'],
    description:
      'Which transactions are dry-run before they are claimed; `doubtful`: those that look-ups cannot decide, such as Publish, Upgrade and received objects',
  }),
  maxGasPriceRatio: variable.integer('MAX_GAS_PRICE_RATIO', {
    default: 5,
    description:
      'Maximum gas price as a multiple of the reference gas price, unless an access rule allows more',
  }),
};
