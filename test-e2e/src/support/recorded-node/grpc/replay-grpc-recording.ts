import { readGrpcRecording, type RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import type { Difference, Replay } from '../replay-recording.js';
import { NOT_REPLAYED_CALLS } from './accepted-grpc-differences.js';
import { optionsOf } from './call-options.js';
import { compareGrpcAnswers } from './compare-grpc-answers.js';
import type { GrpcScenario } from './grpc-scenario.js';
import { largeRequest } from './large-requests.js';
import { type RawAnswer, RecordedCallClient } from './recorded-call-client.js';
import { inOrder, RecordedStages } from './recorded-stages.js';
import { RecordedValues } from './recorded-values.js';
import {
  decodeResponses,
  learnAnswer,
  methodOf,
  recordedMessages,
  submittedBy,
  translateRequest,
} from './translate-requests.js';
import { recordedDigest } from './recorded-digest.js';

/** Sends the recorded calls to a devnet, apart from those that devnet cannot get. */
export async function replayGrpcRecording(scenario: GrpcScenario): Promise<Replay> {
  await scenario.begin();
  const recording = readGrpcRecording();
  const calls = recording.filter(({ name }) => !NOT_REPLAYED_CALLS.has(name));
  const skipped = recording.filter(({ name }) => NOT_REPLAYED_CALLS.has(name));
  const values = new RecordedValues(scenario, digestsIn(skipped));
  const client = new RecordedCallClient(new URL(scenario.grpcUrl).host);
  const stages = new RecordedStages(scenario, values, calls);
  const differences: Difference[] = [];

  const send = async (call: RecordedGrpcCall): Promise<RawAnswer> => {
    await stages.prepare(call);
    const request = (await largeRequest(scenario, call)) ?? (await translateRequest(values, call));
    return client.send({ ...optionsOf(call), request });
  };

  const replay = async (call: RecordedGrpcCall): Promise<void> => {
    let answer = await send(call);
    while (await stages.isOvertaken(call)) answer = await send(call);
    const method = methodOf(call);
    const lines = compareGrpcAnswers(method, call, answer);
    if (lines.length > 0) differences.push({ name: call.name, lines });
    if (method) {
      const recorded = recordedMessages(method, call);
      learnAnswer(values, method, recorded, decodeResponses(method, answer.responses));
    }
    await stages.finish(call);
  };

  try {
    for (const together of inOrder(calls)) await Promise.all(together.map(replay));
  } finally {
    client.close();
  }
  return { calls: calls.length, differences };
}

/** The digests of the transactions that the calls submit. */
function digestsIn(calls: readonly RecordedGrpcCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap(submittedBy).flatMap((bytes) => recordedDigest(bytes) ?? []));
}
