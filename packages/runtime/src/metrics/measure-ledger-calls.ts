import { Metrics } from './metrics.js';

const callOutcomes = ['answered', 'refused', 'invalid', 'unreachable'] as const;

/** A finished call to a ledger node. */
export interface LedgerCall {
  /** The name of the call, the same in both dialects of IOTA's nodes. */
  readonly method: string;
  readonly outcome: (typeof callOutcomes)[number];
  readonly seconds: number;
}

/** Counts and times calls to ledger nodes; the returned function is called for each. */
export function measureLedgerCalls(metrics: Metrics): (call: LedgerCall) => void {
  const calls = metrics.counter<{ method: string; outcome: LedgerCall['outcome'] }>({
    name: 'ledger_calls_total',
    help: 'Calls to ledger nodes: answered, refused (answered with an error), invalid (the answer cannot be used) or unreachable.',
    labels: ['method', 'outcome'],
  });
  const duration = metrics.histogram<{ method: string }>({
    name: 'ledger_call_duration_seconds',
    help: 'Duration of calls to ledger nodes.',
    labels: ['method'],
  });
  const startedMethods = new Set<string>();
  return ({ method, outcome, seconds }) => {
    // Prometheus computes rates from increases: the first failure must show as a rise from 0.
    if (!startedMethods.has(method))
      for (const one of callOutcomes) calls.add({ method, outcome: one }, 0);
    startedMethods.add(method);
    calls.add({ method, outcome });
    duration.observe({ method }, seconds);
  };
}
