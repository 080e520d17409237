import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { LedgerService } from '../../node-messages/index.js';
import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';
import type { Check, Outcome } from './check.js';
import type { SystemState } from '../client/node-client.js';
import { type ExaminedNode, PARTS } from './examined-node.js';
import {
  COMMON_OBJECTS,
  criterion,
  describeEpoch,
  examineAge,
  examineBalance,
  examineDryRun,
  examineFormerVersion,
  examineHeaders,
  examineLargerAnswers,
  examineLatency,
  examineMessageSize,
  examineOrder,
  examineRateLimit,
  examineSubmission,
  examineWalk,
  examineWebSocket,
  MAX_LAG_MS,
  QUERY,
  ZERO,
} from './longer-checks.js';

const { getHealth, getServiceInfo } = LedgerService.method;
/** As many objects as the services read in a call: two that every ledger has, and others that none has. */
const MANY = [
  ...COMMON_OBJECTS,
  ...Array.from({ length: 48 }, (_, index) => normalizeIotaAddress((0x1000 + index).toString(16))),
];
const SPONSORING_METHODS = [
  'iota_dryRunTransactionBlock',
  'iota_executeTransactionBlock',
  'iota_getProtocolConfig',
  'iota_getTransactionBlock',
  'iota_multiGetObjects',
  'iotax_getBalance',
  'iotax_getCoins',
];
const EVENTS_METHODS = [
  'iota_getCheckpoint',
  'iota_getCheckpoints',
  'iota_getLatestCheckpointSequenceNumber',
  'iota_multiGetTransactionBlocks',
  'iotax_queryEvents',
  'iotax_queryTransactionBlocks',
];
const SHORT_LOCKS = {
  consequence: 'After a conflict validators lock coins for 12 s; they are checked again after that',
  verdict: 'fine',
} as const;

/** Checks a part of the system state; `system state` reports that a node does not show it. */
const ofState =
  (describe: (state: SystemState) => Outcome) =>
  async (node: ExaminedNode): Promise<Outcome> => {
    const state = await node.systemState();
    return state && describe(state);
  };

const hasAll = (methods: readonly string[]) => async (node: ExaminedNode) => {
  const absent: string[] = [];
  for (const method of methods) if (!(await node.has(method))) absent.push(method);
  return absent.length === 0 ? 'all available' : { answer: `absent: ${absent.join(', ')}` };
};

const info = (node: ExaminedNode, ...paths: string[]) =>
  node.channel.unary(getServiceInfo, { readMask: { paths } }, node.endsAt);

/** Of the lowest number of which a node over gRPC has something. */
const isPruned = (lowest = 0n): Outcome => (lowest === 0n ? '0' : { answer: String(lowest) });

export const CHECKS: readonly Check[] = [
  {
    name: 'node',
    check: async (node) => {
      await node.getChainIdentifier();
      return null;
    },
    remedy: 'No service can use this node: correct its address and headers',
    isEssential: true,
  },
  {
    name: 'network',
    check: (node) => node.getChainIdentifier(),
    serves: 'Coins, cursors and nodes of another network are refused',
    remedy: 'The node does not name its network',
    isEssential: true,
  },
  {
    name: 'version',
    over: 'JSON-RPC',
    check: (node) =>
      node.ask<{ info: { version: string } }>('rpc.discover').then(
        ({ info: { version } }) => version,
        () => ({ answer: 'not reported' }),
      ),
    remedy: 'Error codes and texts of nodes of 2025 and 2026 are understood',
  },
  {
    name: 'version',
    over: 'gRPC',
    check: (node) =>
      info(node, 'server', 'chain').then(
        ({ server = 'not reported', chain }) => server + (chain ? `, network ${chain}` : ''),
        (error: Error) => ({ answer: `not reported: ${error.message}` }),
      ),
    remedy: 'Below is what this version answers to the calls of the services',
  },
  {
    name: 'system state',
    check: async (node) => ((await node.systemState()) ? null : { answer: 'not available' }),
    remedy: 'Epoch and gas price are unknown: nothing can be sponsored; use another node',
    isEssential: true,
  },
  {
    name: 'protocol',
    check: ofState(({ protocolVersion }) => {
      const answer = String(protocolVersion);
      const hasCertificates = protocolVersion < FIRST_PROTOCOL_WITHOUT_CERTIFICATES;
      return hasCertificates ? answer : { answer, ...SHORT_LOCKS };
    }),
    remedy:
      'After a conflict validators lock coins until the epoch ends; they are quarantined that long',
  },
  {
    name: 'epoch',
    check: ofState(describeEpoch),
    remedy: 'The node lags behind, or the clock here is wrong',
  },
  {
    name: 'gas price',
    check: ofState(({ referenceGasPrice }) => String(referenceGasPrice)),
    remedy: 'Transactions below it are refused, and above five times it',
  },
  {
    name: 'methods for sponsoring',
    over: 'JSON-RPC',
    check: hasAll(SPONSORING_METHODS),
    serves: 'Transactions can be sponsored',
    remedy: 'Nothing can be sponsored',
    isEssential: true,
  },
  {
    name: 'methods for events',
    over: 'JSON-RPC',
    check: hasAll(EVENTS_METHODS),
    serves: 'Events can be followed; queries: see the criteria',
    remedy: 'Not usable in EVENTS_UPSTREAMS; sponsoring does not need them',
  },
  {
    name: 'health',
    over: 'gRPC',
    check: async ({ channel, endsAt }) => {
      await channel.unary(getHealth, { thresholdMs: BigInt(MAX_LAG_MS) }, endsAt);
      return 'up to date';
    },
    serves: 'Its newest checkpoint is less than a minute old',
    remedy: 'Callers wait for objects that the node does not show yet: wait until it has caught up',
  },
  {
    name: 'lowest checkpoint',
    over: 'gRPC',
    check: async (node) =>
      isPruned((await info(node, 'lowest_available_checkpoint')).lowestAvailableCheckpoint),
    serves: 'Transactions can be looked up from the first one on',
    remedy: 'Older transactions are not found here: for those, add a node that is not pruned',
  },
  {
    name: 'lowest checkpoint of objects',
    over: 'gRPC',
    check: async (node) => {
      const paths = ['lowest_available_checkpoint', 'lowest_available_checkpoint_objects'];
      const lowest = await info(node, ...paths);
      return isPruned(lowest.lowestAvailableCheckpointObjects ?? lowest.lowestAvailableCheckpoint);
    },
    serves: 'Events can be read from the first one on',
    remedy:
      'Events are derived from objects, so those below cannot be read here: keep an index of events, or add a node that is not pruned',
  },
  {
    name: 'objects',
    over: 'gRPC',
    check: async (node) => {
      const objects = await node.getObjects(MANY, []);
      if (objects[0]?.data && objects[1]?.data) return `${MANY.length} in one call`;
      throw new Error('the node shows no system state or no clock');
    },
    serves: 'Inputs and coins are looked up before anything is signed',
    remedy: 'Nothing can be sponsored',
    isEssential: true,
  },
  {
    name: 'coins of an owner',
    over: 'gRPC',
    check: async (node) => {
      const owner = node.sponsors[0] ?? ZERO;
      const { coins } = await node.getCoins(owner, null);
      return `listed, ${coins.length} on the first page`;
    },
    serves: 'Pools can be filled and audited',
    remedy: 'No pool can be filled',
    isEssential: true,
  },
  {
    name: 'executed transactions',
    over: 'gRPC',
    check: async (node) =>
      (await node.newestTransaction())
        ? 'shown with events and changes'
        : 'not examined: the ledger has no transactions',
    serves: 'Outcomes of transactions can be looked up, with their events and changes',
    remedy: 'A transaction whose answer is lost stays unknown: nothing can be sponsored safely',
    isEssential: true,
  },
  {
    name: 'former versions of objects',
    over: 'gRPC',
    check: examineFormerVersion,
    serves: 'Deleted inputs and merged coins are recognised by them',
    remedy:
      'A deleted input is awaited for ten seconds before it is refused, and merged coins stay in the pool. Let the node keep former versions longer, or use another node',
  },
  {
    name: 'stream of checkpoints',
    over: 'gRPC',
    check: async (node) => {
      const number = await node.getLatestCheckpoint();
      for await (const { transactions } of node.stream(number, [...PARTS, 'balanceChanges'])) {
        return `checkpoint ${number} with ${transactions.length} transactions`;
      }
      throw new Error('no checkpoint in time');
    },
    serves: 'Events can be followed and indexed',
    remedy: 'Not usable for events; sponsoring does not need it',
  },
  {
    name: 'dry run',
    check: examineDryRun,
    serves:
      'Doubtful transactions are dry-run before they are claimed; callers may ask for dry runs',
    remedy: 'Doubtful transactions are refused, and so is every dry run',
    isEssential: true,
  },
  {
    name: 'page limits',
    over: 'JSON-RPC',
    check: async (node) => {
      await node.getObjects(MANY, []);
      await node.ask(QUERY, [{ filter: null, options: {} }, null, 50, true]);
      return '50 objects and 50 transactions';
    },
    serves: 'Reads need no more calls than usual',
    remedy: 'Reads of 50 objects or transactions fail',
  },
  {
    name: 'submission',
    over: 'gRPC',
    check: examineSubmission,
    serves: 'Transactions can be sponsored',
    remedy: 'Nothing can be sponsored',
    isEssential: true,
  },
  {
    name: 'size of messages',
    over: 'gRPC',
    check: examineMessageSize,
    serves: 'Transactions of any size can be read; a larger answer is a failure',
    remedy: 'Events of a transaction that is larger than a message cannot be read',
  },
  {
    name: 'lowest checkpoint',
    over: 'JSON-RPC',
    check: async (node) => {
      const [lowest] = await node.getCheckpoints(null, 1, false);
      if (!lowest) return { answer: 'no checkpoints', consequence: 'The node has no ledger yet' };
      const { sequenceNumber: answer } = lowest;
      const consequence = 'The node is pruned: queries and cursors below it are refused';
      return answer === '0' ? '0' : { answer, consequence };
    },
    serves: 'Events can be queried from the beginning of the ledger',
    remedy: 'The age of the oldest available event is unknown',
  },
  {
    name: 'objects of the lowest checkpoint',
    over: 'JSON-RPC',
    check: async (node) => {
      const [lowest] = await node.getCheckpoints(null, 1, false);
      if (!lowest) return null;
      const [digest] = lowest.transactions;
      const consequence = 'The age of the oldest available object is unknown';
      if (!digest) return { answer: 'it has no transactions', consequence };
      const parts = ['objectChanges', 'events'] as const;
      const { objectChanges, errors = [] } = await node.getTransaction(digest, parts);
      if (objectChanges !== undefined && errors.length === 0) return 'available';
      return { answer: errors.join('; ') || 'left out' };
    },
    serves: 'Events of objects go back as far as checkpoints',
    remedy: 'Events of objects do not go back as far as checkpoints',
  },
  {
    name: 'order of the index',
    over: 'JSON-RPC',
    check: examineOrder,
    serves: 'Cursors do not depend on this order',
    remedy: 'The node may have no index of transactions',
  },
  {
    name: 'criteria All, Transaction, TimeRange',
    over: 'JSON-RPC',
    check: () => 'answered',
    remedy: 'Read from checkpoints',
  },
  {
    name: 'criteria MoveEvent',
    over: 'JSON-RPC',
    check: () => 'answered',
    remedy: 'From the index of events',
  },
  criterion(
    'MoveModule',
    { MoveFunction: { package: '0x2', module: 'clock' } },
    'Except events of the init function of a published module',
  ),
  criterion('Sender', { FromAddress: ZERO }),
  criterion('Recipient AddressOwner', { ToAddress: ZERO }),
  criterion('Object', { ChangedObject: ZERO, InputObject: ZERO }),
  {
    name: 'other EventType and Recipient',
    over: 'JSON-RPC',
    check: examineWalk,
    remedy: 'The duration of such queries is unknown',
  },
  {
    name: 'newest checkpoint',
    check: examineAge,
    serves: 'Node and clock are up to date',
    remedy: 'It is unknown whether the node is up to date',
  },
  {
    name: 'headers',
    check: examineHeaders,
    serves: 'The node requires none',
    remedy: 'It is unknown whether the node requires them',
  },
  {
    name: 'WebSocket',
    over: 'JSON-RPC',
    check: examineWebSocket,
    remedy: 'Not needed: live events are read from checkpoints',
  },
  {
    name: 'latency',
    check: examineLatency,
    serves: 'A sponsored transaction needs four or more calls',
    remedy: 'The node fails intermittently',
  },
  {
    name: 'latency of larger answers',
    over: 'gRPC',
    check: examineLargerAnswers,
    serves: 'Answers are sent at once',
    remedy: 'The node fails intermittently',
  },
  {
    name: 'rate limit',
    check: examineRateLimit,
    serves: 'More may be limited',
    remedy:
      'Calls are repeated after Retry-After, which delays transactions; ask for a higher limit',
  },
];

export const checkOfSponsor = (owner: string): Check => ({
  name: `sponsor ${owner}`,
  check: (node) => examineBalance(node, owner),
  remedy: 'Balance unknown',
});
