import { LedgerService } from '../../node-messages/index.js';
import { fromHex, normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { examineUse, faulty, type GrpcQuestions, type Use } from './grpc-questions.js';
import { type Finding, fine, notice } from './questions.js';

const [SYSTEM_STATE, CLOCK] = ['0x5', '0x6'].map((id) => normalizeIotaAddress(id)) as [
  string,
  string,
];
/** As many objects as the services read in a call: two that every ledger has, and others that none has. */
const MANY = [
  SYSTEM_STATE,
  CLOCK,
  ...Array.from({ length: 48 }, (_, at) => normalizeIotaAddress((0x1000 + at).toString(16))),
];
const ALL_PARTS = {
  showInput: true,
  showEffects: true,
  showEvents: true,
  showObjectChanges: true,
  showBalanceChanges: true,
};

const OBJECTS: Use = {
  subject: 'objects',
  serves: 'Inputs and coins are looked up before anything is signed',
  lost: 'Nothing can be sponsored',
  isEssential: true,
};
const COINS: Use = {
  subject: 'coins of an owner',
  serves: 'Pools can be filled and audited',
  lost: 'No pool can be filled',
  isEssential: true,
};
const TRANSACTIONS: Use = {
  subject: 'executed transactions',
  serves: 'Outcomes of transactions can be looked up, with their events and changes',
  lost: 'A transaction whose answer is lost stays unknown: nothing can be sponsored safely',
  isEssential: true,
};
const EVENTS: Use = {
  subject: 'stream of checkpoints',
  serves: 'Events can be followed and indexed',
  lost: 'Not usable for events; sponsoring does not need it',
  isEssential: false,
};

const FORMER_VERSIONS: Use = {
  subject: 'former versions of objects',
  serves: 'Deleted inputs and merged coins are recognised by them',
  lost: 'A deleted input is awaited for ten seconds before it is refused, and merged coins stay in the pool',
  isEssential: false,
};

interface Checkpoint {
  readonly networkTotalTransactions: string;
  readonly transactions: readonly string[];
}

interface Shown {
  readonly effects?: {
    readonly modifiedAtVersions?: readonly {
      readonly objectId: string;
      readonly sequenceNumber: string;
    }[];
  };
}

/** The reads of the services. `owner`: whose coins are listed. */
export async function* examineGrpcReads(
  questions: GrpcQuestions,
  owner: string,
): AsyncIterable<Finding> {
  yield await examineUse(OBJECTS, async () => {
    const shown = await questions.ask<{ data?: unknown }[]>('iota_multiGetObjects', [MANY]);
    if (shown[0]?.data && shown[1]?.data) return `${MANY.length} in one call`;
    throw new Error('the node shows no system state or no clock');
  });
  yield await examineUse(COINS, async () => {
    const { data } = await questions.ask<{ data: unknown[] }>('iotax_getCoins', [owner]);
    return `listed, ${data.length} on the first page`;
  });
  const newest = await questions.ask<string>('iota_getLatestCheckpointSequenceNumber');
  let shown: Shown = {};
  yield await examineUse(TRANSACTIONS, async () => {
    const digest = await findNewestTransaction(questions, Number(newest));
    if (digest === undefined) return 'not examined: the ledger has no transactions';
    shown = await questions.ask<Shown>('iota_getTransactionBlock', [digest, ALL_PARTS]);
    return 'shown with events and changes';
  });
  yield await examineFormerVersion(questions, shown);
  yield await examineUse(EVENTS, () => readOne(questions, Number(newest)));
}

/** The last transaction of the ledger, which is in the first checkpoint with the total of the newest. */
async function findNewestTransaction(
  questions: GrpcQuestions,
  newest: number,
): Promise<string | undefined> {
  const read = (number: number) =>
    questions.ask<Checkpoint>('iota_getCheckpoint', [String(number)]);
  let found = await read(newest);
  const { networkTotalTransactions: total } = found;
  let [below, at] = [-1, newest];
  while (found.transactions.length === 0 && at - below > 1) {
    const middle = Math.floor((below + at) / 2);
    // The node may have pruned it.
    const checkpoint = await read(middle).catch(() => null);
    if (checkpoint === null || checkpoint.networkTotalTransactions !== total) below = middle;
    else [found, at] = [checkpoint, middle];
  }
  // The last one of a checkpoint is not the system's own.
  return found.transactions.at(-1);
}

/** Whether the node still has an object at the version that a transaction has replaced. */
async function examineFormerVersion(
  { channel, endsAt }: GrpcQuestions,
  { effects }: Shown,
): Promise<Finding> {
  const { subject, serves, lost } = FORMER_VERSIONS;
  const replaced = effects?.modifiedAtVersions?.[0];
  if (!replaced)
    return fine(subject, 'not examined: no transaction to look at changed one', serves);
  const objectRef = {
    objectId: { objectId: fromHex(replaced.objectId) },
    version: BigInt(replaced.sequenceNumber),
  };
  const request = {
    requests: { requests: [{ objectRef }] },
    readMask: { paths: ['reference'] },
  };
  try {
    const [answer] = await channel.all(LedgerService.method.getObjects, request, endsAt());
    if (answer?.objects[0]?.result.case === 'object') return fine(subject, 'kept', serves);
    const remedy = 'Let the node keep former versions longer, or use another node';
    return notice(subject, 'pruned at once', `${lost}. ${remedy}`);
  } catch (error) {
    return faulty(FORMER_VERSIONS, error);
  }
}

async function readOne(questions: GrpcQuestions, number: number): Promise<string> {
  for await (const { transactions } of questions.stream(number, ALL_PARTS)) {
    return `checkpoint ${number} with ${transactions.length} transactions`;
  }
  throw new Error('no checkpoint in time');
}
