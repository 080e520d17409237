import {
  ACCEPTED_DIFFERENCES,
  type AcceptedDifference,
  findUnaccepted,
} from './accepted-differences.js';
import { ACCEPTED_GRPC_DIFFERENCES, NOT_REPLAYED } from './grpc/accepted-grpc-differences.js';
import { replayGrpcRecording } from './grpc/replay-grpc-recording.js';
import { startGrpcScenario } from './grpc/start-grpc-scenario.js';
import { type Replay, replayRecording } from './replay-recording.js';
import { startScenario } from './start-scenario.js';

/** Maximum number of different fields that are listed per answer. */
const MAX_LINES = 8;
const say = (text: string) => process.stdout.write(`${text}\n`);

const rpc = await startScenario();
try {
  list('accepted', ACCEPTED_DIFFERENCES);
  report('JSON-RPC', await replayRecording(rpc.scenario), ACCEPTED_DIFFERENCES);
} finally {
  await rpc.devnet.stop();
}
const grpc = await startGrpcScenario();
try {
  list('not sent', NOT_REPLAYED);
  list('accepted', ACCEPTED_GRPC_DIFFERENCES);
  report('gRPC', await replayGrpcRecording(grpc.scenario), ACCEPTED_GRPC_DIFFERENCES);
} finally {
  await grpc.devnet.stop();
}

function list(label: string, table: readonly Omit<AcceptedDifference, 'lines'>[]): void {
  for (const { calls, reason } of table) say(`${label}: ${calls.join(', ')}\n  ${reason}`);
}

function report(
  dialect: string,
  { calls, differences }: Replay,
  table: readonly AcceptedDifference[],
): void {
  const unexpected = findUnaccepted(table, differences);
  for (const { name, lines } of unexpected)
    say([`different: ${name}`, ...lines.slice(0, MAX_LINES)].join('\n  '));
  const names = new Set(unexpected.map(({ name }) => name));
  const known = differences.filter(({ name }) => !names.has(name)).length;
  say(
    `${dialect}, ${calls} calls: ${calls - differences.length} like the node, ${known} accepted, ${unexpected.length} different`,
  );
  if (unexpected.length > 0) process.exitCode = 1;
}
