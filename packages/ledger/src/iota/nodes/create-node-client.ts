import { IotaClient } from '@iota/iota-sdk/client';
import { LedgerNodes, type NodesOptions } from './ledger-nodes.js';

/** The SDK's client over one node or several (see `LedgerNodes`). */
export class NodeClient extends IotaClient {
  constructor(private readonly nodes: LedgerNodes) {
    super({ transport: nodes });
  }

  /** The preferred node alone, for reads that must agree: another node may lag behind it. */
  oneNode(): IotaClient {
    return new IotaClient({ transport: this.nodes.oneNode() });
  }
}

export function createNodeClient(options: NodesOptions): NodeClient {
  return new NodeClient(new LedgerNodes(options));
}
