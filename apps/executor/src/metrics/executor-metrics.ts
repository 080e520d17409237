import { type Counter, type CountGas, countGas, type Metrics } from '@forecourt/runtime/metrics';
import { inSpan } from '@forecourt/runtime/tracing';

/** What became of a transaction, and why. Each is counted once in the fleet, by whoever wrote it down. */
export type ExecutionEnd =
  /** The ledger executed it; `failure`: it failed there, and cost its gas. */
  | { readonly outcome: 'executed'; readonly cause: 'success' | 'failure' }
  /** Refused for certain; `rules`: by this service's own, before it was signed. */
  | { readonly outcome: 'refused'; readonly cause: 'ledger' | 'rules' }
  /** Refused in a way that leaves its coins bound: over an object, over one not known, or not by the first answer. */
  | { readonly outcome: 'quarantined'; readonly cause: 'conflict' | 'missing' | 'refused' }
  /** A quarantine ended without it: its coins were moved on by the sponsor, or had moved. */
  | { readonly outcome: 'released'; readonly cause: 'moved_on' | 'had_moved' };

const ends: readonly ExecutionEnd[] = [
  { outcome: 'executed', cause: 'success' },
  { outcome: 'executed', cause: 'failure' },
  { outcome: 'refused', cause: 'ledger' },
  { outcome: 'refused', cause: 'rules' },
  { outcome: 'quarantined', cause: 'conflict' },
  { outcome: 'quarantined', cause: 'missing' },
  { outcome: 'quarantined', cause: 'refused' },
  { outcome: 'released', cause: 'moved_on' },
  { outcome: 'released', cause: 'had_moved' },
];

export type ExecutionStep = 'sign' | 'submit' | 'find' | 'settle';
/** In these the ledger node is asked. */
const AT_THE_NODE: ReadonlySet<ExecutionStep> = new Set(['submit', 'find']);
const steps: readonly ExecutionStep[] = ['sign', 'submit', 'find', 'settle'];

/** How one run of a job ended. `pending`: the outcome is not known, it runs again. */
type AttemptResult = 'done' | 'pending' | 'failed';

/** What an executor measures. */
export interface ExecutorMetrics {
  readonly ends: Counter<ExecutionEnd>;
  readonly attempts: Counter<{ result: AttemptResult }>;
  readonly gas: CountGas<'execution' | 'quarantine'>;
  readonly costOf: CountCostOf;
  readonly step: MeasureStep;
}

/** Takes down what a transaction cost, by who had it sponsored and the access rule that allowed it. */
export type CountCostOf = (caller: string, rule: string, cost: bigint) => void;

/** Each is a series in whatever collects the metrics. */
const MOST_SPENDERS = 1_000;

/** Runs a step, as a span of the trace, and takes down how long it took, whatever became of it. */
export type MeasureStep = <T>(step: ExecutionStep, run: () => Promise<T>) => Promise<T>;

/** To be called once for a process. */
export function executorMetrics(metrics: Metrics): ExecutorMetrics {
  const results: readonly AttemptResult[] = ['done', 'pending', 'failed'];
  const duration = metrics.histogram<{ step: ExecutionStep }>({
    name: 'execution_step_duration_seconds',
    labels: ['step'],
    help: 'How long each step of executing a transaction took.',
    known: steps.map((step) => ({ step })),
  });
  return {
    ends: metrics.counter<ExecutionEnd>({
      name: 'executions_total',
      labels: ['outcome', 'cause'],
      known: ends,
      help: 'Transactions by what became of them.',
    }),
    attempts: metrics.counter<{ result: AttemptResult }>({
      name: 'execution_attempts_total',
      labels: ['result'],
      help: 'Runs of execution jobs; pending ones run again because the outcome is not known.',
      known: results.map((result) => ({ result })),
    }),
    gas: countGas(metrics, ['execution', 'quarantine']),
    costOf: countCostOf(metrics),
    async step(step, run) {
      const startedAt = performance.now();
      try {
        return await inSpan(step, {}, run, AT_THE_NODE.has(step) ? 'CLIENT' : 'INTERNAL');
      } finally {
        duration.observe({ step }, (performance.now() - startedAt) / 1_000);
      }
    },
  };
}

function countCostOf(metrics: Metrics): CountCostOf {
  const spent = metrics.counter<{ token: string; rule: string }>({
    name: 'gas_spent_smallest_unit_total',
    labels: ['token', 'rule'],
    help: 'What executed transactions cost the sponsors, as limits count it, in the ledger’s smallest unit, by token and access rule.',
  });
  const spenders = new Set<string>();
  return (caller, rule, cost) => {
    const spender = `${caller} ${rule}`;
    if (spenders.size < MOST_SPENDERS) spenders.add(spender);
    const isNamed = spenders.has(spender);
    const row = isNamed
      ? { token: caller, rule: rule || 'none' }
      : { token: 'others', rule: 'others' };
    spent.add(row, Number(cost));
  };
}
