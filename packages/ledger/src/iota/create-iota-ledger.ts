import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { Ledger } from '../ledger.js';
import type { ReadRecentObjects } from '../recent-object.js';
import { assembleTransaction } from './assemble-transaction.js';
import { buildConsolidation, buildSplit, buildWithdrawal } from './build-maintenance.js';
import { decodeTransaction } from './decoding/decode-transaction.js';
import { readKindBytes } from './decoding/read-kind-bytes.js';
import { dryRunTransaction } from './dry-run-transaction.js';
import { findRecipients } from './find-recipients.js';
import { findTransaction } from './find-transaction.js';
import { findUnsupportedScheme } from './find-unsupported-scheme.js';
import { countGasCoins, listGasCoins, readGasCoins } from './gas-coins.js';
import { hasExpired } from './has-expired.js';
import { hasPaidForGas } from './has-paid-for-gas.js';
import { KnownObjects } from './known-objects.js';
import { haveInputsMovedOn } from './have-inputs-moved-on.js';
import { inspectInputs } from './inspect-inputs.js';
import type { NodeChange } from './nodes/ledger-node.js';
import type { NodeCall } from './nodes/node-connection.js';
import { ExpectedNetwork } from './nodes/expected-network.js';
import { createNodeClient } from './nodes/create-node-client.js';
import { readTransactionParts } from './read-transaction-parts.js';
import { readCheckpointTime } from './read-checkpoint-time.js';
import { readStatus } from './read-status.js';
import { StatusCache } from './status-cache.js';
import { submitTransaction } from './submit-transaction.js';
import { SignatureVerifier } from './verify-signature.js';
import { transactionJson } from './transaction-json.js';
import { waitForLocalExecution } from './wait-for-local-execution.js';

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

const NONE_RECENT: ReadRecentObjects = () => Promise.resolve(new Map());
const ADDRESS = /^0x[0-9a-f]{1,64}$/i;

/** The ledger interface for IOTA nodes, on the public SDK. */
export function createIotaLedger(options: IotaLedgerOptions): Ledger {
  const { urls, readUrls = [], headers, onCall, onNodeChange } = options;
  const timeoutMs = options.requestTimeoutMs ?? 40_000;
  const network = new ExpectedNetwork(options.findNetwork);
  const how = { headers, timeoutMs, network, onCall, onChange: onNodeChange };
  const writer = createNodeClient({ urls, ...how });
  const reader = readUrls.length > 0 ? createNodeClient({ urls: readUrls, ...how }) : writer;
  const signatures = new SignatureVerifier();
  const knownObjects = new KnownObjects();
  // Of the node that submits: its epoch is the one a submission belongs to.
  const cache = new StatusCache(() => readStatus(writer), options.statusMaxAgeMs ?? 60_000);

  return {
    normalizeAddress(address) {
      if (!ADDRESS.test(address)) throw new TypeError(`${address} is not an address`);
      return normalizeIotaAddress(address);
    },
    decodeTransaction,
    assembleTransaction,
    kindBytesOf: ({ bytes }) => readKindBytes(bytes),
    transactionJson: ({ bytes }) => transactionJson(bytes),
    verifyTransactionSignature: (transaction, signature, signer) =>
      signatures.verify(transaction.bytes, signature, signer),
    unsupportedSignature: findUnsupportedScheme,
    buildSplit,
    buildConsolidation,
    buildWithdrawal,
    findRecipients,
    async chainIdentifier() {
      // Both: each is on the network that both must be on, or rejects.
      if (reader !== writer) await reader.getChainIdentifier();
      return writer.getChainIdentifier();
    },
    status: (maxAgeMs) => cache.read(maxAgeMs),
    countGasCoins: (owner) => countGasCoins(reader, owner),
    listGasCoins: (owner) => listGasCoins(reader, owner),
    hasPaidForGas: (owner) => hasPaidForGas(reader, owner),
    readGasCoins: (owner, known) => readGasCoins(reader, owner, known),
    async inspectInputs(transaction, readRecent = NONE_RECENT) {
      const { epoch } = await cache.read();
      return inspectInputs(reader, transaction, knownObjects, epoch, readRecent);
    },
    checkpointTime: () => readCheckpointTime(reader),
    // At the node that gets the transaction: it is the first to know the sponsor's coins at their latest versions.
    dryRun: (transaction) => dryRunTransaction(writer, transaction),
    haveInputsMovedOn: (transaction) => haveInputsMovedOn(reader, transaction),
    hasExpired: (transaction) => hasExpired(reader.oneNode(), transaction),
    async submit(bytes, userAndSponsor) {
      const submission = await submitTransaction(writer, bytes, userAndSponsor);
      if (submission.kind === 'executed') cache.noteEpoch(BigInt(submission.effects.executedEpoch));
      return submission;
    },
    findTransaction: (digest) => findTransaction(reader, digest),
    readTransactionParts: (digest, parts) => readTransactionParts(reader, digest, parts),
    waitForLocalExecution: (digest, waitMs) => waitForLocalExecution(reader, digest, waitMs),
  };
}
