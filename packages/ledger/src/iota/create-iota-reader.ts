import type { LedgerReader } from '../ledger-reader.js';
import type { ReadRecentObjects } from '../recent-object.js';
import { countGasCoins, hasPaidForGas, listGasCoins, readGasCoins } from './coins/gas-coins.js';
import type { NodeClient } from './nodes/ledger-nodes.js';
import { readCheckpointTime, type StatusCache } from './nodes/ledger-status.js';
import { findLastChanges, haveInputsMovedOn } from './objects/read-objects.js';
import { inspectInputs, KnownObjects } from './objects/inspect-inputs.js';
import { readExecuted } from './transactions/read-executed.js';
import {
  findTransaction,
  hasExpired,
  readTransactionParts,
  waitForLocalExecution,
} from './transactions/find-transaction.js';

const NONE_RECENT: ReadRecentObjects = () => Promise.resolve(new Map());

/** Reads at nodes. `status`: epoch and gas price of the nodes that receive transactions. */
export function createIotaReader(
  client: NodeClient,
  status: Pick<StatusCache, 'read'>,
): Omit<LedgerReader, 'chainIdentifier'> {
  const knownObjects = new KnownObjects();
  return {
    status: (maxAgeMs) => status.read(maxAgeMs),
    checkpointTime: () => client.confirmed(readCheckpointTime),
    countGasCoins: (owner) => countGasCoins(client, owner),
    listGasCoins: (owner) => listGasCoins(client, owner),
    hasPaidForGas: (owner) => client.confirmed((node) => hasPaidForGas(node, owner)),
    readGasCoins: (owner, known, hadAt) =>
      client.confirmed((node) => readGasCoins(node, owner, known, hadAt)),
    async inspectInputs(transaction, readRecent = NONE_RECENT) {
      const { epoch } = await status.read();
      return inspectInputs(client, transaction, knownObjects, epoch, readRecent);
    },
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
