import { LedgerService } from '../../node-messages/index.js';
import { fromHex, normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { faulty, type GrpcQuestions, type Use } from './grpc-questions.js';
import { type Finding, fine, notice, textOf } from './questions.js';

const { getHealth, getObjects, getServiceInfo } = LedgerService.method;

/** Name and version of the node's program. */
export async function examineVersion({ channel, endsAt }: GrpcQuestions): Promise<Finding> {
  const advice = 'Below is what this version answers to the calls of the services';
  try {
    const readMask = { paths: ['server', 'chain'] };
    const { server, chain } = await channel.unary(getServiceInfo, { readMask }, endsAt());
    const network = chain === undefined ? '' : `, network ${chain}`;
    return fine('version', `${server ?? 'not reported'}${network}`, advice);
  } catch (error) {
    return notice('version', `not reported: ${textOf(error)}`, advice);
  }
}

const MAX_LAG_MS = 60_000n;

/** Whether the node itself says that it is up to date. */
export async function examineHealth({ channel, endsAt }: GrpcQuestions): Promise<Finding> {
  try {
    await channel.unary(getHealth, { thresholdMs: MAX_LAG_MS }, endsAt());
    return fine('health', 'up to date', 'Its newest checkpoint is less than a minute old');
  } catch (error) {
    return notice(
      'health',
      textOf(error),
      'Callers wait for objects that the node does not show yet: wait until it has caught up, or use another node',
    );
  }
}

/** The oldest data that the node has. */
export async function examineLowest({ channel, endsAt }: GrpcQuestions): Promise<Finding[]> {
  const subject = 'lowest checkpoint';
  try {
    const paths = ['lowest_available_checkpoint', 'lowest_available_checkpoint_objects'];
    const info = await channel.unary(getServiceInfo, { readMask: { paths } }, endsAt());
    const checkpoints = info.lowestAvailableCheckpoint ?? 0n;
    const objects = info.lowestAvailableCheckpointObjects ?? checkpoints;
    return [
      checkpoints === 0n
        ? fine(subject, '0', 'Transactions can be looked up from the first one on')
        : notice(
            subject,
            String(checkpoints),
            'Older transactions are not found here: for those, add a node that is not pruned',
          ),
      objects === 0n
        ? fine(`${subject} of objects`, '0', 'Events can be read from the first one on')
        : notice(
            `${subject} of objects`,
            String(objects),
            'Events are derived from objects, so those below cannot be read here: keep an index of events, or add a node that is not pruned',
          ),
    ];
  } catch (error) {
    return [notice(subject, textOf(error), 'The age of the oldest event is unknown')];
  }
}

const MEBIBYTE = 2 ** 20;
const LARGEST_MESSAGE = 128 * MEBIBYTE;
const OBJECTS = ['0x5', '0x6'].map((id) => ({
  objectRef: { objectId: { objectId: fromHex(normalizeIotaAddress(id)) } },
}));

/** Whether the node sends messages as large as the services accept, if a transaction needs them. */
export async function examineMessageSize({ channel, endsAt }: GrpcQuestions): Promise<Finding> {
  const use: Use = {
    subject: 'size of messages',
    serves: 'Transactions of any size can be read; a larger answer is a failure',
    lost: 'Events of a transaction that is larger than a message cannot be read',
    isEssential: false,
  };
  try {
    const request = { requests: { requests: OBJECTS }, maxMessageSizeBytes: LARGEST_MESSAGE };
    await channel.all(getObjects, request, endsAt());
    return fine(use.subject, `up to ${LARGEST_MESSAGE / MEBIBYTE} MiB`, use.serves);
  } catch (error) {
    return faulty(use, error);
  }
}

/** One side's algorithm of Nagle waits for the other's acknowledgement, which comes 40 ms later. */
const HELD_BACK_MS = 30;
/** The first calls of a connection are acknowledged at once. */
const UNMEASURED = 10;
const MEASURED = 20;

/** Whether answers of more than a segment take longer than their reading does. */
export async function examineLargerAnswers({ channel, endsAt }: GrpcQuestions): Promise<Finding> {
  const subject = 'latency of larger answers';
  const timeOf = async (requests: typeof OBJECTS) => {
    const startedAt = performance.now();
    await channel.all(getObjects, { requests: { requests } }, endsAt());
    return performance.now() - startedAt;
  };
  try {
    const times: [small: number, large: number][] = [];
    for (let call = 0; call < UNMEASURED + MEASURED; call++) {
      times.push([await timeOf(OBJECTS.slice(1)), await timeOf(OBJECTS)]);
    }
    const measured = times.slice(UNMEASURED);
    // A busy machine delays some calls; the algorithm delays all larger answers.
    const usual = (all: number[]) => all.toSorted((one, other) => one - other)[MEASURED / 4]!;
    const small = usual(measured.map(([time]) => time));
    const large = usual(measured.map(([, time]) => time));
    const answer = `p25 ${large.toFixed(1)} ms, of a small one ${small.toFixed(1)} ms`;
    if (large - small < HELD_BACK_MS) return fine(subject, answer, 'Answers are sent at once');
    return notice(
      subject,
      answer,
      'The node, or a proxy before it, holds parts of answers back until the others are acknowledged: switch Nagle’s algorithm off there (TCP_NODELAY)',
    );
  } catch (error) {
    return notice(subject, textOf(error), 'The node fails intermittently: see its log');
  }
}
