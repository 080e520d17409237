import { digestInBase64 } from '@forecourt/contracts';
import type { CallNode } from '../call-node.js';
import { UpstreamFailed } from '../event-source.js';
import { UpstreamLacks } from '../upstream-lacks.js';
import type { Checkpoints } from './checkpoints.js';

/** The first bytes of the genesis checkpoint's digest, in hex. Throws `UpstreamFailed` for anything but a short text. */
export async function readChainIdentifier(call: CallNode): Promise<string> {
  const identifier = await call<unknown>('iota_getChainIdentifier', []);
  if (typeof identifier === 'string' && /^[0-9A-Za-z]{4,100}$/.test(identifier)) return identifier;
  throw new UpstreamFailed('iota_getChainIdentifier: the ledger node returned no identifier');
}

/** The identity of a node of the legacy dialect; null if the node has pruned it. */
export async function findGenesisTransaction(checkpoints: Checkpoints): Promise<string | null> {
  try {
    const [genesis] = (await checkpoints.get(0)).transactions;
    return genesis === undefined ? null : digestInBase64(genesis);
  } catch (error) {
    if (error instanceof UpstreamLacks) return null;
    throw error;
  }
}
