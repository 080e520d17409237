import { quarantineExecution, settleExecution } from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import type { Execution } from './execute-transaction.js';
import type { ExecutorParts } from './executor-parts.js';
import { OutcomePending } from './outcome-pending.js';
import { settle } from './settle.js';

/**
 * A quarantined transaction lands, or is found dead: an epoch after its last submission validators hold nothing for it,
 * and if its inputs have moved on, or all refuse it, nobody ever will. Otherwise it is submitted again and stays.
 * `submittedEpoch`: in which it was submitted last.
 */
export async function resolveQuarantine(
  parts: ExecutorParts,
  execution: Execution,
  submittedEpoch: bigint,
): Promise<void> {
  const { ledger, redis } = parts;
  const { job, transaction, begun, signer } = execution;
  const landed = await ledger.findTransaction(job.digest);
  if (landed) return settle(parts, execution, landed.effects);

  const { epoch } = await ledger.status(0);
  const locksAreGone = epoch > submittedEpoch;
  const current = await ledger.readGasCoins(
    job.sponsor,
    begun.coins.map((coin) => coin.objectId),
  );
  if (locksAreGone && (await canNeverLand(parts, execution, current))) {
    return giveUp(parts, execution, current);
  }
  // Noted first: from here on validators may hold the coins in this epoch.
  const { reservationId, digest, fence, sponsor } = job;
  const message = begun.quarantine?.message ?? '';
  await quarantineExecution(redis, sponsor, { reservationId, digest, fence, message, epoch });
  const signatures = [begun.userSig, await signer.signTransaction(transaction.bytes)];
  const submission = await ledger.submit(transaction.bytes, signatures);
  if (submission.kind === 'executed') return settle(parts, execution, submission.effects);
  if (submission.kind === 'refused' && locksAreGone) return giveUp(parts, execution, current);
  throw new OutcomePending(`quarantined: ${submission.message}`, true);
}

async function canNeverLand(
  { ledger }: ExecutorParts,
  { transaction, begun }: Execution,
  current: ReadonlyMap<string, GasCoin>,
): Promise<boolean> {
  const moved = begun.coins.some((coin) => {
    const now = current.get(coin.objectId);
    return now === undefined || now.version > coin.version;
  });
  return moved || (await ledger.refuseStaleInputs(transaction)) !== null;
}

/** The coins return as the ledger shows them; those that are gone leave the pool. */
async function giveUp(
  parts: ExecutorParts,
  { job, begun }: Execution,
  current: ReadonlyMap<string, GasCoin>,
): Promise<void> {
  const returned = begun.coins.flatMap((coin) => {
    const now = current.get(coin.objectId);
    if (!now) return [];
    return now.version > coin.version ? [now] : [coin];
  });
  await settleExecution(parts.redis, job.sponsor, {
    ...{ reservationId: job.reservationId, digest: job.digest, outcome: 'refused' },
    ...{ returned, gasCharged: 0n, rules: parts.rules, retentionMs: parts.retentionMs },
  });
  parts.logger.info({ ...job, outcome: 'dead', coins: returned.length }, 'quarantine ended');
}
