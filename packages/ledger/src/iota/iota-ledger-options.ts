import type { InvalidAnswer, NodeChange } from './nodes/ledger-node.js';
import type { NodeCall } from './nodes/node-connection.js';

export interface IotaLedgerOptions {
  /**
   * The nodes that receive transactions, in order of preference: `http(s)://` speaks JSON-RPC, `grpc(s)://`
   * gRPC. Lists may mix them.
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
  /** Called when a node's answer to a call cannot be used. */
  readonly onInvalidAnswer?: (answer: InvalidAnswer) => void;
}
