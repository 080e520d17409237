import { LedgerService, StateService, TransactionExecutionService } from '@forecourt/node-messages';
import { toHex } from '@iota/iota-sdk/utils';
import { GrpcChannel } from '../grpc/grpc-channel.js';
import { NodeRefusal } from '../transport/node-errors.js';
import { type ExaminedNode, type Finding, fine, missing, notice, textOf } from './questions.js';

const TIMEOUT_MS = 10_000;
const NO_METHOD = -32_601;

/** Examines a node that speaks gRPC with a few read-only calls. */
export async function* examineGrpcNode(node: ExaminedNode): AsyncIterable<Finding> {
  const channel = new GrpcChannel(node);
  const endsAt = () => performance.now() + TIMEOUT_MS;
  try {
    const info = await channel.unary(LedgerService.method.getServiceInfo, {}, endsAt());
    const chain = toHex((info.chainId?.digest ?? new Uint8Array()).slice(0, 4));
    yield fine('network', chain, 'Coins, cursors and nodes of another network are refused');
    yield fine('version', info.server ?? 'not reported', 'The node speaks gRPC');
    const lowest = info.lowestAvailableCheckpoint ?? 0n;
    yield lowest === 0n
      ? fine('history', 'complete', 'Events can be queried from the first one on')
      : notice('history', `from checkpoint ${lowest}`, 'Older events cannot be queried here');
    const { epoch } = await channel.unary(LedgerService.method.getEpoch, {}, endsAt());
    yield epoch?.referenceGasPrice === undefined
      ? missing('gas price', 'not reported', 'Nothing can be sponsored')
      : fine('gas price', String(epoch.referenceGasPrice), 'Transactions below it are refused');
    yield* await examineServices(channel, endsAt());
  } catch (error) {
    yield missing('node', textOf(error), 'No service can use this node');
  } finally {
    channel.close();
  }
}

/** A call without content is refused by a node that has the service, in another way than by one that lacks it. */
async function examineServices(channel: GrpcChannel, endsAt: number): Promise<Finding[]> {
  const isServed = (call: Promise<unknown>) =>
    call.then(
      () => true,
      (error: unknown) => !(error instanceof NodeRefusal && error.code === NO_METHOD),
    );
  const { executeTransactions } = TransactionExecutionService.method;
  const [executes, lists] = await Promise.all([
    isServed(channel.unary(executeTransactions, {}, endsAt)),
    isServed(channel.unary(StateService.method.listOwnedObjects, {}, endsAt)),
  ]);
  return [
    executes
      ? fine('TransactionExecutionService', 'available', 'Transactions can be sponsored')
      : missing('TransactionExecutionService', 'absent', 'Nothing can be sponsored'),
    lists
      ? fine('StateService', 'available', 'Pools can be filled')
      : missing('StateService', 'absent', 'The coins of a sponsor cannot be listed'),
  ];
}
