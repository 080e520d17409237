import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { examineHeaders, examineLatency, examineRateLimit } from './examine-access.js';
import { examineGrpcReads } from './examine-grpc-calls.js';
import {
  examineHealth,
  examineLargerAnswers,
  examineLowest,
  examineMessageSize,
  examineVersion,
} from './examine-grpc-server.js';
import { examineSubmission } from './examine-grpc-submission.js';
import { examineSimulation } from './examine-simulation.js';
import { examineClock } from './examine-history.js';
import { examineChain, examineState } from './examine-network.js';
import { examineListedCoins } from './examine-sponsor.js';
import { GrpcQuestions } from './grpc-questions.js';
import { type ExaminedNode, type Finding, missing, textOf } from './questions.js';

const NOBODY = normalizeIotaAddress('0x0');

/**
 * Examines a node that speaks gRPC with the calls of the services; see `examineSubmission` for the only
 * write.
 */
export async function* examineGrpcNode(
  node: ExaminedNode,
  sponsors: readonly string[],
): AsyncIterable<Finding> {
  const questions = new GrpcQuestions(node);
  const owners = sponsors.map((address) => normalizeIotaAddress(address));
  try {
    const chain = await examineChain(questions);
    if (chain.verdict === 'missing') {
      yield missing(
        'node',
        chain.answer,
        'No service can use this node: correct its address and headers',
      );
      return;
    }
    yield chain;
    yield await examineVersion(questions);
    yield* await examineState(questions, Date.now());
    yield await examineHealth(questions);
    yield* await examineLowest(questions);
    yield* examineGrpcReads(questions, owners[0] ?? NOBODY);
    yield await examineSimulation(questions);
    yield await examineSubmission(questions);
    yield await examineMessageSize(questions);
    yield await examineClock(questions, Date.now);
    yield await examineHeaders(questions);
    yield await examineLatency(questions);
    yield await examineLargerAnswers(questions);
    yield await examineRateLimit(questions);
    for (const owner of owners) yield await examineListedCoins(questions, owner);
  } catch (error) {
    yield missing(
      'node',
      textOf(error),
      'The examination ended early: the node fails intermittently, or is of an unknown version',
    );
  } finally {
    questions.close();
  }
}
