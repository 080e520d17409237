import { NodeRefusal } from '../transport/node-refusal.js';
import { type Finding, fine, missing, notice, type Questions, textOf } from './questions.js';

const METHOD_NOT_FOUND = -32601;
/** Methods that sponsoring requires. */
const SPONSORING = [
  'iota_dryRunTransactionBlock',
  'iota_executeTransactionBlock',
  'iota_getProtocolConfig',
  'iota_getTransactionBlock',
  'iota_multiGetObjects',
  'iotax_getBalance',
  'iotax_getCoins',
];
/** Further methods that the events service requires. */
const EVENTS = [
  'iota_getCheckpoint',
  'iota_getCheckpoints',
  'iota_getLatestCheckpointSequenceNumber',
  'iota_multiGetTransactionBlocks',
  'iotax_queryEvents',
  'iotax_queryTransactionBlocks',
];

/**
 * Finds the methods of the node. Each is called without parameters: the node refuses that
 * differently from an unknown method.
 */
export async function examineMethods(questions: Questions): Promise<Finding[]> {
  const [sponsoring, events] = [
    await findAbsent(questions, SPONSORING),
    await findAbsent(questions, EVENTS),
  ];
  return [
    sponsoring.length === 0
      ? fine('methods for sponsoring', 'all available', 'Transactions can be sponsored')
      : missing(
          'methods for sponsoring',
          `absent: ${sponsoring.join(', ')}`,
          'Nothing can be sponsored',
        ),
    events.length === 0
      ? fine(
          'methods for events',
          'all available',
          'Events can be followed; queries: see the criteria',
        )
      : notice(
          'methods for events',
          `absent: ${events.join(', ')}`,
          'Not usable in EVENTS_UPSTREAMS; sponsoring does not need them',
        ),
  ];
}

async function findAbsent(questions: Questions, methods: readonly string[]): Promise<string[]> {
  const absent: string[] = [];
  for (const method of methods) {
    if (!(await isAvailable(questions, method))) absent.push(method);
  }
  return absent;
}

async function isAvailable(questions: Questions, method: string): Promise<boolean> {
  try {
    await questions.ask(method);
    return true;
  } catch (error) {
    return error instanceof NodeRefusal && error.code !== METHOD_NOT_FOUND;
  }
}

/** Reports whether the node accepts reads of as many objects and transactions as the service makes. */
export async function examinePageLimits(questions: Questions): Promise<Finding> {
  const ids = Array.from(
    { length: 50 },
    (_, index) => `0x${(index + 0x100).toString(16).padStart(64, '0')}`,
  );
  try {
    await questions.ask('iota_multiGetObjects', [ids, {}]);
    await questions.ask('iotax_queryTransactionBlocks', [
      { filter: null, options: {} },
      null,
      50,
      true,
    ]);
    return fine(
      'page limits',
      '50 objects and 50 transactions',
      'Reads need no more calls than usual',
    );
  } catch (error) {
    return notice('page limits', textOf(error), 'Reads of 50 objects or transactions fail');
  }
}
