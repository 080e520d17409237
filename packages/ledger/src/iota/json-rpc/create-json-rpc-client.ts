import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import { NodeAnswer } from '../answers/node-answer.js';
import { readCheckpoint } from '../answers/read-checkpoint.js';
import { readObjects } from '../answers/read-object.js';
import {
  readExecution,
  readSimulation,
  readTransaction,
  readTransactions,
} from '../answers/read-transaction.js';
import type {
  ListedCoin,
  NodeClient,
  NodeEventId,
  NodePage,
  ObjectPart,
  ShownPart,
  SystemState,
} from '../client/node-client.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { readNormalized } from './normalized-type.js';
import type { RpcCall } from './post-call.js';

const CHAIN = /^[0-9a-f]{8}$/;
const GAS_TYPE = normalizeStructTag('0x2::iota::IOTA');
const STATE = 'iotax_getLatestIotaSystemState';
/** Nodes of this protocol and later ones show the state in a second version. */
const FIRST_PROTOCOL_OF_SECOND_STATE = 5;
/** Nodes refuse an unknown package, module or function by this code, or by one of these texts. */
const INVALID_PARAMS = -32_602;
const NO_FUNCTION = /does not exist|no (?:module|function)(?: was)? found|not found/i;

/** Asks a node over JSON-RPC; `post` resolves to the result of a call. */
export function createJsonRpcClient(post: (call: RpcCall) => Promise<unknown>): NodeClient {
  const ask = async (method: string, ...params: readonly unknown[]) =>
    new NodeAnswer(method, await post({ method, params }));
  return {
    async getChainIdentifier() {
      const answer = await ask('iota_getChainIdentifier');
      const chain = answer.text();
      if (!CHAIN.test(chain)) throw answer.malformed('a chain identifier of 8 hex digits');
      return chain;
    },
    /** The method depends on the node's version. */
    async getSystemState() {
      // Nodes choose the present version of the protocol where none is given.
      const config = await ask('iota_getProtocolConfig', null);
      const newest = Number(config.partOf('maxSupportedProtocolVersion')?.raw);
      if (!(newest >= FIRST_PROTOCOL_OF_SECOND_STATE)) return readState(await ask(STATE));
      const state = await ask(`${STATE}V2`);
      return readState(state.field('V2').isAbsent ? state.field('V1') : state.field('V2'));
    },
    async getLatestCheckpoint() {
      return (await ask('iota_getLatestCheckpointSequenceNumber')).natural();
    },
    async getCheckpoint(number) {
      const answer = await ask('iota_getCheckpoint', String(number));
      answer.field('sequenceNumber').expect(String(number));
      return readCheckpoint(answer);
    },
    async getCheckpoints(cursor, limit, descending) {
      const after = cursor === null ? null : String(cursor);
      const page = await ask('iota_getCheckpoints', after, limit, descending);
      return page.field('data').items().slice(0, limit).map(readCheckpoint);
    },
    async getObjects(ids, parts) {
      return readObjects(await ask('iota_multiGetObjects', ids, optionsOf(parts)), ids);
    },
    async getParameters(...named) {
      try {
        const answer = await ask('iota_getNormalizedMoveFunction', ...named);
        return answer.field('parameters').items().map(readNormalized);
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error;
        if (error.code === INVALID_PARAMS || NO_FUNCTION.test(error.message)) return null;
        throw error;
      }
    },
    async getCoins(owner, cursor) {
      const page = await ask('iotax_getCoins', owner, null, cursor, null);
      const next = page.field('nextCursor');
      return {
        coins: page.field('data').items().map(readCoin),
        nextCursor: page.field('hasNextPage').raw === true && !next.isAbsent ? next.text() : null,
      };
    },
    async countCoins(owner) {
      return (await ask('iotax_getBalance', owner, null)).field('coinObjectCount').amount();
    },
    async getTransaction(digest, parts, payment) {
      const answer = await ask('iota_getTransactionBlock', digest, optionsOf(parts));
      return readTransaction(answer, digest, payment);
    },
    async getTransactions(digests, parts) {
      const answer = await ask('iota_multiGetTransactionBlocks', digests, optionsOf(parts));
      return readTransactions(answer, digests);
    },
    async queryTransactions(filter, ...page) {
      const answer = await ask('iotax_queryTransactionBlocks', { filter }, ...page);
      const textOf = (cursor: NodeAnswer) => cursor.text();
      return readPage(answer, (item) => textOf(item.field('digest')), textOf);
    },
    async queryEvents(...query) {
      const answer = await ask('iotax_queryEvents', ...query);
      return readPage(answer, (item) => readEventId(item.field('id')), readEventId);
    },
    async dryRun(bytes) {
      return readSimulation(await ask('iota_dryRunTransactionBlock', base64(bytes)), bytes);
    },
    async execute(bytes, signatures) {
      const params = [base64(bytes), signatures, EFFECTS];
      // Nodes differ in the default of the request type.
      const answer = await ask('iota_executeTransactionBlock', ...params, 'WaitForEffectsCert');
      return readExecution(answer.field('effects'), bytes);
    },
  };
}

/** `showEffects` for the part `effects`. */
function optionsOf(parts: readonly (ObjectPart | ShownPart)[]): Readonly<Record<string, true>> {
  const names = parts.map((part) => `show${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  return Object.fromEntries(names.map((name) => [name, true]));
}

const EFFECTS = optionsOf(['effects']);

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function readState(state: NodeAnswer): SystemState {
  return {
    epochStartedAt: state.field('epochStartTimestampMs').natural(),
    protocolVersion: state.field('protocolVersion').natural(),
    epoch: state.field('epoch').amount(),
    referenceGasPrice: state.field('referenceGasPrice').amount(),
    epochDurationMs: state.field('epochDurationMs').natural(),
    isInSafeMode: state.field('safeMode').raw === true,
  };
}

function readCoin(coin: NodeAnswer): ListedCoin {
  const type = coin.field('coinType');
  if (type.structTag() !== GAS_TYPE) throw type.malformed('the gas coin’s type');
  return {
    coin: {
      objectId: normalizeIotaAddress(coin.field('coinObjectId').text()),
      version: coin.field('version').natural(),
      digest: coin.field('digest').text(),
      balance: coin.field('balance').amount(),
    },
    changedBy: coin.field('previousTransaction').text(),
  };
}

function readEventId(id: NodeAnswer): NodeEventId {
  const [txDigest, eventSeq] = [id.field('txDigest').text(), id.field('eventSeq').text()];
  return { txDigest, eventSeq };
}

function readPage<T>(
  page: NodeAnswer,
  readItem: (item: NodeAnswer) => T,
  readCursor: (cursor: NodeAnswer) => T,
): NodePage<T> {
  const next = page.field('nextCursor');
  return {
    data: page.field('data').items().map(readItem),
    nextCursor: next.isAbsent ? null : readCursor(next),
    hasNextPage: page.field('hasNextPage').raw === true,
  };
}
