import type { Ledger } from '../ledger.js';
import { createIotaCodec } from './create-iota-codec.js';
import { createIotaReader } from './create-iota-reader.js';
import { createIotaSubmitter } from './create-iota-submitter.js';
import { createNodeClient, type NodeChange } from './nodes/ledger-nodes.js';
import { ExpectedNetwork, type NodeCall } from './nodes/node-connection.js';
import { readStatus, StatusCache } from './nodes/ledger-status.js';

export interface IotaLedgerOptions {
  /**
   * The nodes that receive transactions, in order of preference: `http(s)://` speaks JSON-RPC, `grpc(s)://` gRPC. Lists
   * may mix them.
   */
  readonly urls: readonly string[];
  /** The nodes that serve reads; absent or empty: the nodes that receive transactions. */
  readonly readUrls?: readonly string[];
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of one call, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** Cache time of epoch and gas price, in milliseconds; never beyond the planned end of the epoch. */
  readonly statusMaxAgeMs?: number;
  /**
   * Finds the network that the nodes must be on. While it returns null, the network of the first
   * node that answers counts, and every call repeats the search.
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
  // Read from the node that submits: a submission belongs to that node's epoch.
  const status = new StatusCache(
    () => writer.confirmed(readStatus),
    options.statusMaxAgeMs ?? 60_000,
  );
  return {
    ...createIotaCodec(),
    ...createIotaReader(reader, status),
    ...createIotaSubmitter(writer, status),
    async chainIdentifier() {
      // Calls both: each verifies its network, and rejects when it is on another one.
      if (reader !== writer) await reader.getChainIdentifier();
      return writer.getChainIdentifier();
    },
  };
}
