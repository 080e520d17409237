import type { Ledger } from '../ledger.js';
import { createIotaCodec } from './create-iota-codec.js';
import { createIotaReader } from './create-iota-reader.js';
import { createIotaSubmitter } from './create-iota-submitter.js';
import { createNodeClient } from './nodes/create-node-client.js';
import { ExpectedNetwork } from './nodes/expected-network.js';
import type { NodeChange } from './nodes/ledger-node.js';
import type { NodeCall } from './nodes/node-connection.js';
import { readStatus } from './nodes/read-status.js';
import { StatusCache } from './nodes/status-cache.js';

export interface IotaLedgerOptions {
  /** JSON-RPC of the nodes that transactions are submitted to, in order of preference. */
  readonly urls: readonly string[];
  /** JSON-RPC of the nodes that serve reads; absent or none: the same. */
  readonly readUrls?: readonly string[];
  /** Of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of one call, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** How long epoch and gas price are cached; never beyond the planned end of the epoch. */
  readonly statusMaxAgeMs?: number;
  /**
   * Finds the network that the nodes must be on; null while nobody knows, and then that of the first that answers is taken.
   * Asked at every call until it is known.
   */
  readonly findNetwork?: () => Promise<string | null>;
  /** Called after every call to a node. */
  readonly onCall?: (call: NodeCall) => void;
  /** Called when a node becomes unusable, and when it is usable again. */
  readonly onNodeChange?: (change: NodeChange) => void;
}

/** The ledger interface for IOTA nodes, on the public SDK. */
export function createIotaLedger(options: IotaLedgerOptions): Ledger {
  const { urls, readUrls = [], headers, onCall, onNodeChange } = options;
  const timeoutMs = options.requestTimeoutMs ?? 40_000;
  const network = new ExpectedNetwork(options.findNetwork);
  const how = { headers, timeoutMs, network, onCall, onChange: onNodeChange };
  const writer = createNodeClient({ urls, ...how });
  const reader = readUrls.length > 0 ? createNodeClient({ urls: readUrls, ...how }) : writer;
  // Of the node that submits: its epoch is the one a submission belongs to.
  const status = new StatusCache(() => readStatus(writer), options.statusMaxAgeMs ?? 60_000);
  return {
    ...createIotaCodec(),
    ...createIotaReader(reader, status),
    ...createIotaSubmitter(writer, status),
    async chainIdentifier() {
      // Both: each is on the network that both must be on, or rejects.
      if (reader !== writer) await reader.getChainIdentifier();
      return writer.getChainIdentifier();
    },
  };
}
