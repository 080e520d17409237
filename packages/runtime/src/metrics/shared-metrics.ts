import type { Metrics } from './metrics.js';

/** Counts the ledger's charge for a transaction, in the smallest unit; negative when the refund was larger. */
export type CountGas<Purpose extends string> = (purpose: Purpose, gasCharged: bigint) => void;

/** Registers the metrics of gas costs, by purpose, and returns their counting function. */
export function createGasCounter<Purpose extends string>(
  metrics: Metrics,
  purposes: readonly Purpose[],
): CountGas<Purpose> {
  const known = purposes.map((purpose) => ({ purpose }));
  const labels = ['purpose'] as const;
  const charged = metrics.counter<{ purpose: Purpose }>({
    name: 'gas_charged_smallest_unit_total',
    labels,
    known,
    help: 'Gas paid by the sponsors, in the ledger’s smallest unit.',
  });
  const refunded = metrics.counter<{ purpose: Purpose }>({
    name: 'gas_refunded_smallest_unit_total',
    labels,
    known,
    help: 'Storage refunded to the sponsors beyond what the transaction cost, in the ledger’s smallest unit.',
  });
  return (purpose, gasCharged) => {
    if (gasCharged >= 0n) charged.add({ purpose }, Number(gasCharged));
    else refunded.add({ purpose }, Number(-gasCharged));
  };
}

const outcomes = ['answered', 'refused', 'unreachable'] as const;

/** A finished call to a ledger node. */
export interface LedgerCall {
  /** The node's name of the method. */
  readonly method: string;
  readonly outcome: (typeof outcomes)[number];
  readonly seconds: number;
}

/** Counts and times calls to ledger nodes; the returned function is called for each. */
export function measureLedgerCalls(metrics: Metrics): (call: LedgerCall) => void {
  const calls = metrics.counter<{ method: string; outcome: LedgerCall['outcome'] }>({
    name: 'ledger_calls_total',
    help: 'Calls to ledger nodes: answered, refused (answered with an error) or unreachable.',
    labels: ['method', 'outcome'],
  });
  const duration = metrics.histogram<{ method: string }>({
    name: 'ledger_call_duration_seconds',
    help: 'Duration of calls to ledger nodes.',
    labels: ['method'],
  });
  const seen = new Set<string>();
  return ({ method, outcome, seconds }) => {
    // Prometheus computes rates from increases: the first failure must show as a rise from 0.
    if (!seen.has(method)) for (const one of outcomes) calls.add({ method, outcome: one }, 0);
    seen.add(method);
    calls.add({ method, outcome });
    duration.observe({ method }, seconds);
  };
}
