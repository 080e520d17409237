import { describe, expect, it } from '@jest/globals';
import type { ChaosOptions } from './chaos-options.js';
import type { Invariant } from './find-violations.js';
import type { Plan, Step } from './plan-chaos.js';
import { runChaos } from './run-chaos.js';

interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
interface Variant {
  readonly what: string;
  readonly patches: readonly Patch[];
  readonly breaks: readonly Invariant[];
  readonly steps?: readonly Step[];
  readonly behaviours?: ChaosOptions['behaviours'];
  readonly recoveryBoundMs?: number;
}

const LUA = 'packages/coin-store/lua/';
const plain = { plain: 1 };

const variants: readonly Variant[] = [
  {
    what: 'settling returns coins as they were before the effects',
    patches: [
      {
        file: `${LUA}settle-execution.lua`,
        find: 'renewCoins(reservation.coins, returned, gas)',
        replace: `local before = string.match(reservation.coins, '[^,]+')
          returned[string.match(before, '0x%x+')] = before
          renewCoins(reservation.coins, returned, gas)`,
      },
    ],
    breaks: ['audit is exact'],
  },
  {
    what: 'reserving leaves the coin available to other reservations',
    patches: [
      {
        file: `${LUA}includes/choose-coins.lua`,
        find: `redis.call('LPOP', key('available:' .. found - 1), alike == 1 and '1' or alike)`,
        replace: `redis.call('LRANGE', key('available:' .. found - 1), 0, alike - 1)`,
      },
    ],
    breaks: ['coin used once'],
  },
  {
    what: 'an unknown outcome counts as a refusal, and the store does not learn of further submissions',
    patches: [
      {
        file: 'apps/executor/dist/executions/submitter.js',
        find: 'if (!(await this.maySubmitAgain(job, latest.endedIn)))',
        replace: 'if (false)',
      },
      {
        file: 'apps/executor/dist/executions/executions.service.js',
        find: 'throw new OutcomePending(submission.message);',
        replace: `return this.outcomes.refuse(job, submission.message, 'ledger');`,
      },
      {
        file: 'apps/executor/dist/executions/executions.service.js',
        find: 'await this.store.noteUnknown(execution, endedIn)',
        replace: 'void 0',
      },
    ],
    breaks: ['one outcome'],
    steps: [
      {
        kind: 'ledger fault',
        fault: { kind: 'lag', ms: 20_000, method: 'iota_getTransactionBlock' },
      },
      { kind: 'ledger fault', fault: { kind: 'transient', when: 'after', forMs: 4_000 } },
    ],
  },
  {
    what: 'settling records neither the transaction of a reservation nor its gas',
    patches: [
      {
        file: `${LUA}settle-execution.lua`,
        find: `or 'expired', digest, retentionMs, settled)`,
        replace: `or 'expired', '', retentionMs, settled)`,
      },
      {
        file: `${LUA}includes/coins.lua`,
        find: `shiftTotal('gasCharged', gas, 1)`,
        replace: '',
      },
    ],
    breaks: ['retry gets the outcome', 'gas adds up'],
  },
  {
    what: 'the lease of a claim never ends, and its job is lost',
    patches: [
      {
        file: `${LUA}claim-reservation.lua`,
        find: `local lease = decimal(at + tonumber(leaseMs))`,
        replace: `local lease = decimal(at + 1e12)`,
      },
    ],
    breaks: ['pool is full again'],
    steps: [{ kind: 'lose a job' }],
    // A released claim leaves a reservation, which a careless client holds for up to 40 s.
    recoveryBoundMs: 50_000,
    behaviours: { careless: 1 },
  },
  {
    what: 'a lost job is not enqueued again',
    patches: [
      {
        file: 'apps/coin-pool/dist/upkeep/reservation-sweeper.js',
        find: 'await this.jobs.addAgain(',
        replace: 'void (',
      },
    ],
    breaks: ['pool is full again'],
    steps: [{ kind: 'kill in flight', loseJobs: true }],
  },
  {
    what: 'an executor ends after a reply',
    patches: [
      {
        file: 'apps/executor/dist/executions/outcomes.service.js',
        find: `passFailpoint('executor:after-reply')`,
        replace: 'process.exit(3)',
      },
    ],
    breaks: ['nothing breaks by itself'],
  },
];

const PATCHING = new URL('./patch-on-load.mjs', import.meta.url).href;
const LOAD_MS = 2_000;

function planOf({ steps = [] }: Variant): Plan {
  const end: Step = { kind: 'end the epoch' };
  return {
    steps: [...steps, end].map((step) => ({ step, pauseMs: LOAD_MS })),
    lives: { gateway: [], 'coin-pool': [], executor: [] },
    seldom: new Map(),
  };
}

describe('reports a violation when', () => {
  it.each(variants.map((variant) => [variant.what, variant] as const))(
    '%s',
    async (_what, variant) => {
      const report = await runChaos({
        seed: 1,
        kills: 0,
        rounds: 1,
        clients: 6,
        poolCoins: 40,
        recoveryBoundMs: variant.recoveryBoundMs ?? 10_000,
        replicas: { gateway: 1, 'coin-pool': 1, executor: 1 },
        plan: planOf(variant),
        behaviours: variant.behaviours ?? plain,
        env: {
          NODE_OPTIONS: `--import=${PATCHING}`,
          FORECOURT_PATCHES: JSON.stringify(variant.patches),
        },
      });
      const broken = new Set(report.violations.map(({ invariant }) => invariant));
      expect([...broken]).toEqual(expect.arrayContaining([...variant.breaks]));
    },
    120_000,
  );
});
