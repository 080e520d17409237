import type { IotaClient } from '@iota/iota-sdk/client';
import { readObjects } from './gas-coins.js';
import type { Judgement } from './judge-objects.js';
import { MAX_OBJECTS_PER_READ } from './limits.js';
import type { Subject } from './list-subjects.js';

export type Judgements = ReadonlyMap<Subject, Judgement>;

/** When more objects are missing than this, they are made up, rather than too new for the node to know. */
const MAX_MISSING = 10;
const UNANSWERED: Judgement = { kind: 'unclear' };

/** Reads the objects page by page and judges each; stops at the first page after which the refusal is certain. */
export async function lookUp(
  client: IotaClient,
  subjects: readonly Subject[],
): Promise<Judgements> {
  const judgements = new Map<Subject, Judgement>();
  for (let from = 0; from < subjects.length; from += MAX_OBJECTS_PER_READ) {
    const page = subjects.slice(from, from + MAX_OBJECTS_PER_READ);
    const ids = page.map(({ objectId }) => objectId);
    const responses = await readObjects(client, ids, { showOwner: true, showType: true });
    page.forEach((subject, index) => {
      const response = responses[index];
      judgements.set(subject, response ? subject.judge(response) : UNANSWERED);
    });
    if (isCertainlyRefused(judgements)) break;
  }
  return judgements;
}

/** Whether no further look can change that the transaction is refused. */
export function isCertainlyRefused(judgements: Judgements): boolean {
  let missing = 0;
  for (const { kind } of judgements.values()) {
    if (kind === 'refused') return true;
    if (kind === 'missing') missing += 1;
  }
  return missing > MAX_MISSING;
}
