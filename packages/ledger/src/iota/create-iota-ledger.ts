import type { Ledger, LedgerReader, LedgerSubmitter, ReadRecentObjects } from '../ledger.js';
import { hasPaidForGas, listGasCoins, readGasCoins } from './coins/gas-coins.js';
import { FunctionSignatures } from './move/function-signatures.js';
import { LedgerNodes } from './nodes/ledger-nodes.js';
import { readCheckpointTime, readStatus } from './nodes/ledger-status.js';
import { StatusCache } from './nodes/status-cache.js';
import { ExpectedNetwork } from './nodes/expected-network.js';
import { inspectInputs } from './objects/inspect-inputs.js';
import { KnownObjects } from './objects/known-objects.js';
import { findLastChanges, haveInputsMovedOn } from './objects/read-objects.js';
import { dryRunTransaction } from './transactions/dry-run-transaction.js';
import { submitTransaction } from './transactions/submit-transaction.js';
import {
  findTransaction,
  hasExpired,
  readExecuted,
  readTransactionParts,
  waitForLocalExecution,
} from './transactions/find-transaction.js';
import { createIotaCodec } from './iota-codec.js';
import type { IotaLedgerOptions } from './iota-ledger-options.js';

/** The ledger interface for IOTA nodes. */
export function createIotaLedger(options: IotaLedgerOptions): Ledger {
  const { urls, readUrls = [], headers, onCall, onInvalidAnswer } = options;
  const timeoutMs = options.requestTimeoutMs ?? 40_000;
  const network = new ExpectedNetwork(options.findNetwork);
  const onChange = options.onNodeChange;
  const how = { headers, timeoutMs, network, onCall, onChange, onInvalidAnswer };
  const writer = new LedgerNodes({ urls, ...how });
  const reader = readUrls.length > 0 ? new LedgerNodes({ urls: readUrls, ...how }) : writer;
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

const NONE_RECENT: ReadRecentObjects = () => Promise.resolve(new Map());

/** Reads at nodes. `status`: epoch and gas price of the nodes that receive transactions. */
function createIotaReader(
  client: LedgerNodes,
  status: StatusCache,
): Omit<LedgerReader, 'chainIdentifier'> {
  const knownObjects = new KnownObjects();
  const signatures = new FunctionSignatures(
    client.getParameters,
    async () => (await status.read()).epoch,
  );
  return {
    status: (maxAgeMs) => status.read(maxAgeMs),
    checkpointTime: () => client.confirmed(readCheckpointTime),
    countGasCoins: (owner) => client.countCoins(owner),
    listGasCoins: (owner) => listGasCoins(client, owner),
    hasPaidForGas: (owner) => client.confirmed((node) => hasPaidForGas(node, owner)),
    readGasCoins: (owner, known, hadAt) =>
      client.confirmed((node) => readGasCoins(node, owner, known, hadAt)),
    async inspectInputs(transaction, readRecent = NONE_RECENT) {
      const { epoch } = await status.read();
      return inspectInputs(client, transaction, knownObjects, epoch, readRecent);
    },
    readArguments: (transaction, isRelevant) => signatures.readArguments(transaction, isRelevant),
    hasFunction: (named) => signatures.has(named),
    haveInputsMovedOn: (transaction) =>
      client.confirmed((node) => haveInputsMovedOn(node, transaction)),
    hasExpired: (transaction) => client.confirmed((node) => hasExpired(node, transaction)),
    findTransaction: (digest, payment) =>
      client.confirmed((node) => findTransaction(node, digest, payment)),
    readExecuted: (digests) => client.confirmed((node) => readExecuted(node, digests)),
    findLastChanges: (objectIds) => client.confirmed((node) => findLastChanges(node, objectIds)),
    readTransactionParts: (digest, parts) => readTransactionParts(client, digest, parts),
    waitForLocalExecution: (digest, waitMs) => waitForLocalExecution(client, digest, waitMs),
  };
}

/** Submissions and dry runs. Reports to `status` the epochs in which transactions were executed. */
function createIotaSubmitter(client: LedgerNodes, status: StatusCache): LedgerSubmitter {
  return {
    // Asks the node that receives the transaction: it is the first to know the latest versions of
    // the sponsor's coins.
    dryRun: (transaction) => dryRunTransaction(client, transaction),
    async submit(bytes, userAndSponsor) {
      const readEpoch = () => status.read(0);
      const submission = await submitTransaction(client, bytes, userAndSponsor, readEpoch);
      if (submission.kind === 'executed') {
        status.noteEpoch(BigInt(submission.effects.executedEpoch));
      }
      return submission;
    },
  };
}
