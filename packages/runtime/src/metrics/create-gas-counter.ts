import { Metrics } from './metrics.js';

/**
 * Counts the ledger's charge for a transaction, in the smallest unit; negative when the refund was larger.
 */
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
