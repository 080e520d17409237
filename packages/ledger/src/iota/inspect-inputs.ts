import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../decoded-transaction.js';
import type { InspectedInputs } from '../ledger.js';
import { describeDoubts } from './describe-doubts.js';
import { findRefusalWithoutLedger } from './find-refusal-without-ledger.js';
import { inputTexts } from './input-texts.js';
import type { KnownObjects } from './known-objects.js';
import { findExclusive } from './find-exclusive.js';
import { LOOK_AGAIN_MS } from './limits.js';
import { isCertainlyRefused, lookUp } from './look-up.js';
import { listSubjects } from './list-subjects.js';

/** Faults that a message names; a text is read by people, and by clients that match on parts of it. */
const MAX_NAMED = 8;

/** See `Ledger.inspectInputs`. `known`: what was seen before; `epoch`: the ledger's now. */
export async function inspectInputs(
  client: IotaClient,
  transaction: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
): Promise<InspectedInputs> {
  const refusal = findRefusalWithoutLedger(transaction, known, epoch);
  if (refusal !== null) return refusedFor([refusal]);
  const subjects = listSubjects(transaction, known, epoch);
  let judgements = await lookUp(client, subjects);
  for (const pause of LOOK_AGAIN_MS) {
    const absent = subjects.filter((subject) => judgements.get(subject)?.kind === 'missing');
    if (absent.length === 0 || isCertainlyRefused(judgements)) break;
    await delay(pause);
    judgements = new Map([...judgements, ...(await lookUp(client, absent))]);
  }
  const faults = [...judgements.values()].flatMap((judgement) =>
    'text' in judgement ? judgement.text : [],
  );
  if (faults.length > 0) return refusedFor(faults);
  return {
    refusal: null,
    exclusive: findExclusive(transaction.sender, judgements),
    doubts: describeDoubts(transaction, judgements),
  };
}

function refusedFor(faults: readonly string[]): InspectedInputs {
  const named = faults.slice(0, MAX_NAMED);
  const more = faults.length - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return {
    refusal: `${inputTexts.introduction} ${[...named, ...rest].join(', ')}.`,
    exclusive: [],
    doubts: [],
  };
}
