import { tokenOfCaller } from '@forecourt/contracts';
import { Injectable } from '@nestjs/common';
import {
  type Counter,
  type CountGas,
  createGasCounter,
  type Histogram,
  Metrics,
  startStopwatch,
} from '@forecourt/runtime/metrics';
import { inSpan } from '@forecourt/runtime/tracing';

const ends = [
  { outcome: 'executed', cause: 'success' },
  /** It failed on the ledger and cost its gas. */
  { outcome: 'executed', cause: 'failure' },
  { outcome: 'refused', cause: 'ledger' },
  /** By this service's rules, before it was signed. */
  { outcome: 'refused', cause: 'rules' },
  /** Not executed, and its coins stay bound. */
  { outcome: 'quarantined', cause: 'conflict' },
  { outcome: 'quarantined', cause: 'missing' },
  { outcome: 'quarantined', cause: 'refused' },
  /** No node reported its outcome before the epoch ended. */
  { outcome: 'quarantined', cause: 'unknown' },
  /** A quarantine ended because the sponsor's own transaction moved the coins. */
  { outcome: 'released', cause: 'moved_on' },
  /** A quarantine ended because the coins had moved before. */
  { outcome: 'released', cause: 'had_moved' },
] as const;
/**
 * The outcome of a transaction and its cause. Each is counted once in the fleet, by the process that recorded
 * it.
 */
export type ExecutionEnd = (typeof ends)[number];

const steps = ['sign', 'submit', 'find', 'settle'] as const;
export type ExecutionStep = (typeof steps)[number];
/** Steps that are calls to the ledger node. */
const LEDGER_STEPS: ReadonlySet<ExecutionStep> = new Set(['submit', 'find']);

/**
 * Result of one attempt at a job. `pending`: the outcome is unknown, or no node answers; the job is repeated.
 */
export type AttemptResult = (typeof results)[number];
const results = [
  'done',
  'pending',
  'ledger_unreachable',
  'ledger_invalid',
  'unsigned',
  'failed',
] as const;

/** Counts the cost of a transaction, by its caller and the access rule that allowed it. */
type CountCost = (caller: string, rule: string, cost: bigint) => void;

/** Largest number of callers and rules with a separate series. */
const MAX_SPENDERS = 1_000;

/** Metrics of an executor. */
@Injectable()
export class ExecutorMetrics {
  readonly ends: Counter<ExecutionEnd>;
  readonly attempts: Counter<{ result: AttemptResult }>;
  readonly countGas: CountGas<'execution' | 'quarantine'>;
  readonly countCost: CountCost;
  readonly #duration: Histogram<{ step: ExecutionStep }>;

  constructor(metrics: Metrics) {
    this.#duration = metrics.histogram<{ step: ExecutionStep }>({
      name: 'execution_step_duration_seconds',
      labels: ['step'],
      help: 'Duration of each step of executing a transaction.',
      known: steps.map((step) => ({ step })),
    });
    this.ends = metrics.counter<ExecutionEnd>({
      name: 'executions_total',
      labels: ['outcome', 'cause'],
      known: ends,
      help: 'Transactions by outcome and cause.',
    });
    this.attempts = metrics.counter<{ result: AttemptResult }>({
      name: 'execution_attempts_total',
      labels: ['result'],
      help: 'Attempts at execution jobs by result; pending: repeated because the outcome is not known; ledger_unreachable: repeated because no node answered; ledger_invalid: repeated because a node’s answer cannot be used; unsigned: repeated because the sponsor’s key service does not sign; failed: repeated after any other error.',
      known: results.map((result) => ({ result })),
    });
    this.countGas = createGasCounter(metrics, ['execution', 'quarantine']);
    this.countCost = createCostCounter(metrics);
  }

  /** Runs a step as a span of the trace, and measures its duration whether it succeeds or throws. */
  async step<T>(step: ExecutionStep, run: () => Promise<T>): Promise<T> {
    const seconds = startStopwatch();
    try {
      return await inSpan(step, {}, run, LEDGER_STEPS.has(step) ? 'CLIENT' : 'INTERNAL');
    } finally {
      this.#duration.observe({ step }, seconds());
    }
  }
}

function createCostCounter(metrics: Metrics): CountCost {
  const spent = metrics.counter<{ token: string; rule: string }>({
    name: 'gas_spent_smallest_unit_total',
    labels: ['token', 'rule'],
    help: 'Cost of executed transactions to the sponsors, as limits count it, in the ledger’s smallest unit, by token and access rule.',
  });
  const spenders = new Set<string>();
  return (caller, rule, cost) => {
    const token = tokenOfCaller(caller);
    const spender = `${token} ${rule}`;
    if (spenders.size < MAX_SPENDERS) spenders.add(spender);
    const isNamed = spenders.has(spender);
    const row = isNamed ? { token, rule: rule || 'none' } : { token: 'others', rule: 'others' };
    spent.add(row, Number(cost));
  };
}
