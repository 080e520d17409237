import { type Finding, fine, notice, type Questioner, textOf } from './questions.js';

interface Checkpoint {
  readonly sequenceNumber: string;
  readonly timestampMs: string;
  readonly transactions: readonly string[];
}

const EXAMINED = 20;
const MAX_SKEW_MS = 2_000;
const MAX_LAG_MS = 60_000;

/** The oldest data that the node still has. */
export async function examinePruning(questions: Questioner): Promise<Finding[]> {
  try {
    const { data } = await questions.ask<{ data: Checkpoint[] }>('iota_getCheckpoints', [
      null,
      1,
      false,
    ]);
    const lowest = data[0];
    if (!lowest) return [notice('history', 'no checkpoints', 'The node has no ledger yet')];
    return [lowestOf(lowest), await examineObjects(questions, lowest)];
  } catch (error) {
    return [notice('history', textOf(error), 'The age of the oldest available event is unknown')];
  }
}

function lowestOf({ sequenceNumber }: Checkpoint): Finding {
  return sequenceNumber === '0'
    ? fine('lowest checkpoint', '0', 'Events can be queried from the beginning of the ledger')
    : notice(
        'lowest checkpoint',
        sequenceNumber,
        'The node is pruned: queries and cursors below it are refused',
      );
}

async function examineObjects(questions: Questioner, lowest: Checkpoint): Promise<Finding> {
  const subject = 'objects of the lowest checkpoint';
  const digest = lowest.transactions[0];
  if (!digest)
    return notice(
      subject,
      'it has no transactions',
      'The age of the oldest available object is unknown',
    );
  try {
    const options = { showObjectChanges: true, showEvents: true };
    const shown = await questions.ask<{ objectChanges?: unknown; errors?: string[] }>(
      'iota_getTransactionBlock',
      [digest, options],
    );
    if (shown.objectChanges !== undefined && !shown.errors?.length) {
      return fine(subject, 'available', 'Events of objects go back as far as checkpoints');
    }
    const reason = shown.errors?.join('; ') ?? 'left out';
    return notice(subject, reason, 'Events of objects do not go back as far as checkpoints');
  } catch (error) {
    return notice(subject, textOf(error), 'Events of objects do not go back as far as checkpoints');
  }
}

/**
 * Reports whether the node lists transactions in the ledger's order, or in the order in which it
 * executed them.
 */
export async function examineIndexOrder(questions: Questioner): Promise<Finding> {
  const subject = 'order of the index';
  try {
    const { data } = await questions.ask<{ data: { checkpoint?: string }[] }>(
      'iotax_queryTransactionBlocks',
      [{ filter: null, options: {} }, null, EXAMINED, true],
    );
    const checkpoints = data.flatMap(({ checkpoint }) => (checkpoint ? [Number(checkpoint)] : []));
    const isSorted = checkpoints.every(
      (one, index) => index === 0 || one <= checkpoints[index - 1]!,
    );
    const seen = `of the newest ${checkpoints.length} transactions`;
    return isSorted
      ? fine(subject, `by checkpoint, ${seen}`, 'Cursors do not depend on this order')
      : notice(
          subject,
          `not by checkpoint, ${seen}`,
          'In the order in which the node executed them; cursors do not depend on it',
        );
  } catch (error) {
    return notice(subject, textOf(error), 'The node may have no index of transactions');
  }
}

/** Age of the newest checkpoint by the local clock. */
export async function examineClock(questions: Questioner, now: () => number): Promise<Finding> {
  const subject = 'newest checkpoint';
  try {
    const newest = await questions.ask<string>('iota_getLatestCheckpointSequenceNumber');
    const { timestampMs } = await questions.ask<Checkpoint>('iota_getCheckpoint', [newest]);
    const ageMs = now() - Number(timestampMs);
    const answer = `${newest}, ${(ageMs / 1_000).toFixed(1)} s old by the clock here`;
    if (ageMs < -MAX_SKEW_MS)
      return notice(subject, answer, 'The clock here is behind that of the ledger');
    if (ageMs > MAX_LAG_MS) {
      return notice(
        subject,
        answer,
        'The node lags behind, the network stands still, or the clock here is ahead',
      );
    }
    return fine(subject, answer, 'Node and clock are up to date');
  } catch (error) {
    return notice(subject, textOf(error), 'It is unknown whether the node is up to date');
  }
}
