import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import type { InspectedInputs } from '../../ledger-reader.js';
import type { ReadRecentObjects } from '../../recent-object.js';
import { describeDoubts } from './describe-doubts.js';
import { findRefusalWithoutLedger } from './find-refusal-without-ledger.js';
import { inputTexts } from './input-texts.js';
import type { KnownObjects } from './known-objects.js';
import { findExclusive } from './find-exclusive.js';
import { areManyMissing, isNodeBehind, isRefused, type Judgements, lookUp } from './look-up.js';
import { listSubjects } from './list-subjects.js';

/** Number of faults that a message names: people read it, and clients match on parts of it. */
const MAX_NAMED = 8;

/**
 * See `Ledger.inspectInputs`. `known`: objects seen before; `epoch`: the ledger's current epoch.
 */
export async function inspectInputs(
  client: IotaClient,
  transaction: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
  readRecent: ReadRecentObjects,
): Promise<InspectedInputs> {
  const refusal = findRefusalWithoutLedger(transaction, known, epoch);
  if (refusal !== null) return refusedFor([refusal]);
  const subjects = listSubjects(transaction, known, epoch);

  const conclude = (judgements: Judgements): InspectedInputs => {
    const faults = [...judgements.values()].flatMap((judgement) =>
      'text' in judgement ? judgement.text : [],
    );
    if (isRefused(judgements)) return refusedFor(faults, isNodeBehind(judgements));
    if (faults.length > 0) {
      const undecided = {
        message: describe(faults),
        areMany: areManyMissing(judgements),
        lookAgain: () => lookAgain(judgements),
      };
      return { refusal: null, undecided, exclusive: [], doubts: [] };
    }
    return {
      refusal: null,
      undecided: null,
      exclusive: findExclusive(transaction.sender, judgements),
      doubts: describeDoubts(transaction, judgements),
    };
  };

  /** Looks up the missing objects and those not reached. */
  const lookAgain = async (before: Judgements): Promise<InspectedInputs> => {
    const open = subjects.filter((subject) => {
      const kind = before.get(subject)?.kind;
      return kind === undefined || kind === 'missing';
    });
    const now = await lookUp(client, open, readRecent);
    return conclude(new Map([...before, ...now]));
  };

  return conclude(await lookUp(client, subjects, readRecent));
}

function refusedFor(faults: readonly string[], isBehind = false): InspectedInputs {
  return {
    refusal: describe(faults),
    ...(isBehind && { isBehind }),
    undecided: null,
    exclusive: [],
    doubts: [],
  };
}

function describe(faults: readonly string[]): string {
  const named = faults.slice(0, MAX_NAMED);
  const more = faults.length - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return `${inputTexts.introduction} ${[...named, ...rest].join(', ')}.`;
}
