import {
  examineHeaders,
  examineLatency,
  examineRateLimit,
  examineWebSocket,
} from './examine-access.js';
import { examineCriteria } from './examine-criteria.js';
import { examineGrpcNode } from './examine-grpc-node.js';
import { examineClock, examineIndexOrder, examinePruning } from './examine-history.js';
import { examineMethods, examinePageLimits } from './examine-methods.js';
import { examineNetwork } from './examine-network.js';
import {
  type ExaminedNode,
  type Finding,
  fine,
  missing,
  notice,
  Questions,
  textOf,
} from './questions.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '../limits.js';
import { NodeFailure } from '../transport/node-errors.js';

const TIMEOUT_MS = 10_000;

/**
 * Sends read-only requests to a node, about a hundred, and yields the meaning of each answer for
 * this service. `sponsors`: addresses whose balances are read.
 */
export async function* examineNode(
  node: ExaminedNode,
  sponsors: readonly string[],
): AsyncIterable<Finding> {
  if (node.url.startsWith('grpc')) {
    yield* examineGrpcNode(node);
    return;
  }
  const questions = new Questions(node, TIMEOUT_MS);
  try {
    const unreachable = await findUnreachable(questions);
    if (unreachable !== null) {
      yield unreachable;
      return;
    }
    yield* await examineNetwork(questions, Date.now());
    yield* await examineMethods(questions);
    yield await examinePageLimits(questions);
    yield* await examinePruning(questions);
    yield await examineIndexOrder(questions);
    yield* await examineCriteria(questions);
    yield await examineClock(questions, Date.now);
    yield await examineHeaders(questions);
    yield await examineWebSocket(questions);
    yield await examineLatency(questions);
    yield await examineRateLimit(questions);
    for (const sponsor of sponsors) yield* await examineSponsor(questions, sponsor);
  } finally {
    await questions.close();
  }
}

async function findUnreachable(questions: Questions): Promise<Finding | null> {
  try {
    await questions.ask('iota_getChainIdentifier');
    return null;
  } catch (error) {
    if (!(error instanceof NodeFailure)) return null;
    return missing('node', error.message, 'No service can use this node');
  }
}

interface Balance {
  readonly coinObjectCount: number;
  readonly totalBalance: string;
}

/** Balance and coins of a sponsor, and the number of small transactions that they pay for. */
export async function examineSponsor(questions: Questions, address: string): Promise<Finding[]> {
  try {
    const { coinObjectCount, totalBalance } = await questions.ask<Balance>('iotax_getBalance', [
      address,
    ]);
    const price = BigInt(await questions.ask<string>('iotax_getReferenceGasPrice'));
    const each = MIN_COMPUTATION_UNITS * price + COIN_STORAGE_COST;
    const transactions = BigInt(totalBalance) / each;
    const balance = `${totalBalance} in ${coinObjectCount} coins`;
    const count = `about ${transactions} transactions of the smallest computation that store one small object (${each} each)`;
    return [
      transactions > 0n
        ? fine(`sponsor ${address}`, balance, `Pays for ${count}`)
        : notice(`sponsor ${address}`, balance, 'Pays for no transaction: fund the sponsor'),
    ];
  } catch (error) {
    return [notice(`sponsor ${address}`, textOf(error), 'Balance unknown')];
  }
}
