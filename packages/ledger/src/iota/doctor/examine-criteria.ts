import { NodeRefusal } from '../transport/node-refusal.js';
import { type Finding, fine, notice, type Questions, textOf } from './questions.js';

const QUERY = 'iotax_queryTransactionBlocks';
const ID = `0x${'0'.repeat(64)}`;
/** Criteria of event queries, and the filters of the node that find their transactions. */
const THROUGH_INDEX: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  MoveModule: { MoveFunction: { package: '0x2', module: 'clock' } },
  Sender: { FromAddress: ID },
  'Recipient AddressOwner': { ToAddress: ID },
  Object: { ChangedObject: ID, InputObject: ID },
};
/** In the notation of the events service. */
const UNSUPPORTED = /\bunsupported\(|is not supported/i;

/** Time limit of a query of the events service. */
const LIMIT_MS = 30_000;
const MEASURED_CHECKPOINTS = 40;
const LARGEST_PAGE = 50;

/** Reports the criteria of event queries that the node answers, the slow ones, and the unanswered ones. */
export async function examineCriteria(questions: Questions): Promise<Finding[]> {
  const findings = [
    fine('criteria All, Transaction, TimeRange', 'answered', 'Read from checkpoints'),
    fine('criteria MoveEvent', 'answered', 'From the index of events'),
  ];
  for (const criterion of Object.keys(THROUGH_INDEX)) {
    findings.push(await examineIndex(questions, criterion));
  }
  return [...findings, await examineWalk(questions)];
}

async function examineIndex(questions: Questions, criterion: string): Promise<Finding> {
  const subject = `criterion ${criterion}`;
  const lacking: string[] = [];
  for (const [name, argument] of Object.entries(THROUGH_INDEX[criterion]!)) {
    try {
      await questions.ask(QUERY, [{ filter: { [name]: argument } }, null, 1, true]);
    } catch (error) {
      if (!(error instanceof NodeRefusal) || !UNSUPPORTED.test(error.message)) {
        return notice(subject, textOf(error), 'It is unknown whether such queries are answered');
      }
      lacking.push(name);
    }
  }
  if (lacking.length > 0) {
    const answer = `not answered: no index for ${lacking.join(', ')}`;
    const instead = 'query by Sender or MoveEvent, or add a node that has it to EVENTS_UPSTREAMS';
    return notice(subject, answer, `Refused at once: ${instead}`);
  }
  return criterion === 'MoveModule'
    ? fine(subject, 'answered', 'Except events of the init function of a published module')
    : fine(subject, 'answered', 'From the index of transactions');
}

interface Checkpoint {
  readonly sequenceNumber: string;
  readonly transactions: readonly string[];
}

/** Estimates, from the newest checkpoints, the duration of queries that read every checkpoint. */
async function examineWalk(questions: Questions): Promise<Finding> {
  const subject = 'other EventType and Recipient';
  try {
    const [lowest] = await readCheckpoints(questions, 1, false);
    const startedAt = performance.now();
    const newest = await readCheckpoints(questions, MEASURED_CHECKPOINTS, true);
    const digests = newest.flatMap(({ transactions }) => transactions);
    for (let at = 0; at < digests.length; at += LARGEST_PAGE) {
      const page = digests.slice(at, at + LARGEST_PAGE);
      await questions.ask('iota_multiGetTransactionBlocks', [page, SHOWN]);
    }
    const [first] = newest;
    if (!lowest || !first) return notice(subject, 'no checkpoints', 'The node has no ledger yet');
    const msEach = (performance.now() - startedAt) / newest.length;
    const count = Number(first.sequenceNumber) - Number(lowest.sequenceNumber) + 1;
    return describeWalk(subject, count, msEach);
  } catch (error) {
    return notice(subject, textOf(error), 'The duration of such queries is unknown');
  }
}

function describeWalk(subject: string, count: number, msEach: number): Finding {
  const estimateMs = count * msEach;
  const estimate = `about ${(estimateMs / 1_000).toFixed(0)} s for ${count} checkpoints`;
  const limit = `a query may take ${LIMIT_MS / 1_000} s`;
  if (estimateMs > LIMIT_MS) {
    return notice(
      subject,
      `not answered: ${estimate}`,
      `${limit}: refused at once, unless enough events are found near its beginning`,
    );
  }
  return estimateMs > LIMIT_MS / 6
    ? notice(subject, `slow: ${estimate}`, `Every checkpoint is read; ${limit}`)
    : fine(subject, `answered: ${estimate}`, `Every checkpoint is read; ${limit}`);
}

const SHOWN = {
  showInput: true,
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
};

async function readCheckpoints(
  questions: Questions,
  count: number,
  descending: boolean,
): Promise<readonly Checkpoint[]> {
  const params = [null, count, descending];
  return (await questions.ask<{ data: Checkpoint[] }>('iota_getCheckpoints', params)).data;
}
