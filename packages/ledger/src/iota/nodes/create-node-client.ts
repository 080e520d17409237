import { IotaClient } from '@iota/iota-sdk/client';
import { LedgerNodes, type NodesOptions } from './ledger-nodes.js';

/** The SDK's client over one node or several (see `LedgerNodes`). */
export function createNodeClient(options: NodesOptions): IotaClient {
  return new IotaClient({ transport: new LedgerNodes(options) });
}
