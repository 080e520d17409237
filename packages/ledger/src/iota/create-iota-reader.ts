import type { LedgerReader } from '../ledger-reader.js';
import type { ReadRecentObjects } from '../recent-object.js';
import { countGasCoins, listGasCoins, readGasCoins } from './coins/gas-coins.js';
import { hasPaidForGas } from './coins/has-paid-for-gas.js';
import type { NodeClient } from './nodes/create-node-client.js';
import { readCheckpointTime } from './nodes/read-checkpoint-time.js';
import type { StatusCache } from './nodes/status-cache.js';
import { haveInputsMovedOn } from './objects/have-inputs-moved-on.js';
import { inspectInputs } from './objects/inspect-inputs.js';
import { KnownObjects } from './objects/known-objects.js';
import { findTransaction } from './transactions/find-transaction.js';
import { hasExpired } from './transactions/has-expired.js';
import { readTransactionParts } from './transactions/read-transaction-parts.js';
import { waitForLocalExecution } from './transactions/wait-for-local-execution.js';

const NONE_RECENT: ReadRecentObjects = () => Promise.resolve(new Map());

/** Reads over JSON-RPC. `status`: epoch and gas price of the nodes that receive transactions. */
export function createIotaReader(
  client: NodeClient,
  status: Pick<StatusCache, 'read'>,
): Omit<LedgerReader, 'chainIdentifier'> {
  const knownObjects = new KnownObjects();
  return {
    status: (maxAgeMs) => status.read(maxAgeMs),
    checkpointTime: () => readCheckpointTime(client),
    countGasCoins: (owner) => countGasCoins(client, owner),
    listGasCoins: (owner) => listGasCoins(client, owner),
    hasPaidForGas: (owner) => hasPaidForGas(client, owner),
    readGasCoins: (owner, known) => readGasCoins(client, owner, known),
    async inspectInputs(transaction, readRecent = NONE_RECENT) {
      const { epoch } = await status.read();
      return inspectInputs(client, transaction, knownObjects, epoch, readRecent);
    },
    haveInputsMovedOn: (transaction) => haveInputsMovedOn(client, transaction),
    hasExpired: (transaction) => hasExpired(client.oneNode(), transaction),
    findTransaction: (digest) => findTransaction(client, digest),
    readTransactionParts: (digest, parts) => readTransactionParts(client, digest, parts),
    waitForLocalExecution: (digest, waitMs) => waitForLocalExecution(client, digest, waitMs),
  };
}
