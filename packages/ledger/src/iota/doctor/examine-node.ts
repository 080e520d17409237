import {
  examineHeaders,
  examineLatency,
  examineRateLimit,
  examineWebSocket,
} from './examine-access.js';
import { examineCriteria } from './examine-criteria.js';
import { examineGrpcNode } from './examine-grpc-node.js';
import { examineSimulation } from './examine-simulation.js';
import { examineClock, examineIndexOrder, examinePruning } from './examine-history.js';
import { examineMethods, examinePageLimits } from './examine-methods.js';
import { examineNetwork } from './examine-network.js';
import { examineSponsor } from './examine-sponsor.js';
import { type ExaminedNode, type Finding, missing, Questions } from './questions.js';
import { NodeFailure } from '../transport/node-failure.js';

const TIMEOUT_MS = 10_000;

/**
 * Sends about a hundred requests to a node, and yields the meaning of each answer for this service.
 * They change nothing: over gRPC, one submits a transaction that no ledger executes. `sponsors`:
 * addresses whose balances are read.
 */
export async function* examineNode(
  node: ExaminedNode,
  sponsors: readonly string[],
): AsyncIterable<Finding> {
  if (node.url.startsWith('grpc')) {
    yield* examineGrpcNode(node, sponsors);
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
    yield await examineSimulation(questions);
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
