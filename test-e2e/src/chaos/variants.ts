import type { ChaosOptions } from './chaos-options.js';
import type { Invariant } from './find-violations.js';
import type { Step } from './plan-chaos.js';

/** One change of a file: of the built code, or of a script. */
interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}
/** A promise that is broken on purpose, and the invariants that must notice. */
export interface Variant {
  readonly what: string;
  readonly patches: readonly Patch[];
  readonly breaks: readonly Invariant[];
  readonly steps?: readonly Step[];
  readonly behaviours?: ChaosOptions['behaviours'];
  readonly recoveryBoundMs?: number;
}

const LUA = 'packages/coin-store/lua/';

export const variants: readonly Variant[] = [
  {
    what: 'settling returns coins as they were before the effects',
    patches: [
      {
        file: `${LUA}settle-execution.lua`,
        find: 'renewCoins(reservation.coins, returned, gas, withheld, epoch)',
        replace: `local before = string.match(reservation.coins, '[^,]+')
          returned[string.match(before, '0x%x+')] = before
          renewCoins(reservation.coins, returned, gas, withheld, epoch)`,
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
        file: 'apps/executor/dist/executions/claim-executions.service.js',
        find: 'if (!(await this.maySubmitAgain(job, latest.endedIn)))',
        replace: 'if (false)',
      },
      {
        file: 'apps/executor/dist/executions/claim-executions.service.js',
        find: 'throw new OutcomePending(submission.message);',
        replace: `return this.unexecuted.refuse(job, submission.message, 'ledger');`,
      },
      {
        file: 'apps/executor/dist/executions/claim-executions.service.js',
        find: 'await noteUnknown(this.redis, job.sponsor, this.replica.id, job, note);',
        replace: '',
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
        find: `local lease = decimal(nowMs + tonumber(leaseMs))`,
        replace: `local lease = decimal(nowMs + 1e12)`,
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
    what: 'the network of a node is not asked for around reads on which coins depend',
    patches: [
      {
        file: 'packages/ledger/dist/iota/nodes/node-connection.js',
        find: `await this.readNetwork(endsAt());
        const result = await reads(node);
        await this.readNetwork(endsAt());`,
        replace: 'const result = await reads(node);',
      },
    ],
    breaks: ['audit is exact'],
    steps: [{ kind: 'detour', connections: 'kept', forMs: 4_000 }],
    // Any other call would make its executor notice the other network at once.
    behaviours: { locked: 1 },
  },
  {
    what: 'an order goes on, and others are taken, when Redis may have lost what was sent',
    patches: [
      {
        file: `${LUA}includes/withdrawal.lua`,
        find: `redis.call('HSET', key('loss'), 'id', decimal(id), 'suspended', '1')
  endOrder()`,
        replace: '',
      },
      {
        file: `${LUA}order-withdrawal.lua`,
        find: `elseif redis.call('EXISTS', key('held')) == 1 then`,
        replace: `elseif false then`,
      },
      {
        file: 'apps/coin-pool/dist/messages/pool-sponsors.service.js',
        find: 'await this.guard.check();',
        replace: '',
      },
      {
        file: 'apps/coin-pool/dist/messages/pool-sponsors.service.js',
        find: 'this.guard.assertSameConnection();',
        replace: '',
      },
    ],
    breaks: ['sent once'],
    steps: Array.from({ length: 4 }, () => {
      return { kind: 'fail over Redis', lostMs: 1_500, forMs: 9_000, lostBackMs: 0 } as const;
    }),
    recoveryBoundMs: 60_000,
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
