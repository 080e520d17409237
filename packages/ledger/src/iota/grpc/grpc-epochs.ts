import { type Epoch, LedgerService } from '../../node-messages/index.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { CalledNode } from './node-layouts.js';

/** The state of the current epoch, in the form of `iotax_getLatestIotaSystemState`. */
export async function readSystemState(node: CalledNode): Promise<object> {
  const paths = ['epoch', 'start', 'reference_gas_price', 'protocol_config.protocol_version'];
  const request = { readMask: { paths } };
  const { epoch } = await node.channel.unary(LedgerService.method.getEpoch, request, node.endsAt);
  const start = milliseconds(epoch?.start);
  if (epoch?.epoch === undefined || start === null) throw new Error('no epoch or no start of it');
  const previous = await readStart(node, epoch.epoch - 1n);
  return {
    epoch: String(epoch.epoch),
    referenceGasPrice: String(epoch.referenceGasPrice),
    epochStartTimestampMs: String(start),
    // Nodes do not tell the planned length, so that of the epoch before is shown. Without one, it is 0: this
    // epoch may end at any time.
    epochDurationMs: String(previous === null ? 0n : start - previous),
    protocolVersion: String(epoch.protocolConfig?.protocolVersion),
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
