import { formatUntil } from '../../format/times.js';

/** The ledger's epoch and its planned end, in words: `epoch 7 ends 14:05, in 3 h`. */
export function nameEpoch(epoch: number | null, endsAt: number | null, now: number): string {
  if (epoch === null) return 'the ledger’s epoch is unknown';
  if (endsAt === null) return `the ledger is in epoch ${epoch}`;
  return `epoch ${epoch} ${endsAt > now ? `ends ${formatUntil(endsAt, now)}` : 'is about to end'}`;
}

/** When what ends with an epoch ends: `14:05, in 3 h`, or `after epoch 7` where the time is unknown. */
export function nameEpochEnd(
  epoch: number,
  ledger: { readonly epoch: number | null; readonly epoch_ends_at: number | null },
  now: number,
): string {
  const { epoch_ends_at: end } = ledger;
  return epoch === ledger.epoch && end !== null && end > now
    ? formatUntil(end, now)
    : `after epoch ${epoch}`;
}
