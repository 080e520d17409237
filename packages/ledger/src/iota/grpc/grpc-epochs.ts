import { type Epoch, LedgerService } from '../../node-messages/index.js';
import type { SystemState } from '../client/node-client.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { naturalOf } from './natural.js';
import type { CalledNode } from './node-layouts.js';

/** See `NodeClient.getSystemState`. */
export async function fetchSystemState(node: CalledNode): Promise<SystemState> {
  const paths = ['epoch', 'start', 'reference_gas_price', 'protocol_config.protocol_version'];
  const request = { readMask: { paths } };
  const { epoch } = await node.channel.unary(LedgerService.method.getEpoch, request, node.endsAt);
  const start = milliseconds(epoch?.start);
  if (epoch?.epoch === undefined || start === null) throw new Error('no epoch or no start of it');
  if (epoch.referenceGasPrice === undefined) throw new Error('no gas price');
  const previous = await readStart(node, epoch.epoch - 1n);
  return {
    epoch: epoch.epoch,
    referenceGasPrice: epoch.referenceGasPrice,
    epochStartedAt: naturalOf(start),
    // Nodes do not tell the planned length, so that of the epoch before is shown. Without one, it is 0: this
    // epoch may end at any time.
    epochDurationMs: naturalOf(previous === null ? 0n : start - previous),
    protocolVersion: naturalOf(epoch.protocolConfig?.protocolVersion),
    isInSafeMode: false,
  };
}

/** Null for an epoch that the node does not know, such as one before the first. */
async function readStart({ channel, endsAt }: CalledNode, epoch: bigint): Promise<bigint | null> {
  if (epoch < 0n) return null;
  const request = { epoch, readMask: { paths: ['start'] } };
  try {
    const answer = await channel.unary(LedgerService.method.getEpoch, request, endsAt);
    return milliseconds(answer.epoch?.start);
  } catch (error) {
    if (error instanceof NodeRefusal) return null;
    throw error;
  }
}

function milliseconds(time: Epoch['start']): bigint | null {
  if (time === undefined) return null;
  return time.seconds * 1_000n + BigInt(Math.trunc(time.nanos / 1_000_000));
}
