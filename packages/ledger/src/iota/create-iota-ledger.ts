import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { Ledger, LedgerStatus } from '../ledger.js';
import { buildConsolidation, buildSplit } from './build-maintenance.js';
import { decodeTransaction } from './decode-transaction.js';
import { dryRunTransaction } from './dry-run-transaction.js';
import { findTransaction } from './find-transaction.js';
import { countGasCoins, listGasCoins, readGasCoins } from './gas-coins.js';
import { createNodeClient, type NodeCall, read } from './node-client.js';
import { KnownObjects } from './known-objects.js';
import { haveInputsMovedOn } from './have-inputs-moved-on.js';
import { inspectInputs } from './inspect-inputs.js';
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
  /** Hears of every call to a node when it has ended. */
  readonly onCall?: (call: NodeCall) => void;
}

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;

/** The ledger interface for IOTA nodes, on the public SDK. */
export function createIotaLedger(options: IotaLedgerOptions): Ledger {
  const timeoutMs = options.requestTimeoutMs ?? 30_000;
  const writer = createNodeClient(options.urls[0]!, timeoutMs, options.onCall);
  const [readUrl] = options.readUrls ?? [];
  const reader = readUrl ? createNodeClient(readUrl, timeoutMs, options.onCall) : writer;
  const signatures = new SignatureVerifier();
  const knownObjects = new KnownObjects();
  let known: { status: Promise<LedgerStatus>; at: number } | null = null;

  const askStatus = async (): Promise<LedgerStatus> => {
    // Of the node that submits: its epoch is the one a submission belongs to.
    const state = await read(writer.getLatestIotaSystemState());
    return { epoch: BigInt(state.epoch), referenceGasPrice: BigInt(state.referenceGasPrice) };
  };

  const status = (maxAgeMs = 1000): Promise<LedgerStatus> => {
    const now = performance.now();
    if (known && now - known.at < maxAgeMs) return known.status;
    const asked = askStatus();
    known = { status: asked, at: now };
    asked.catch(() => {
      if (known?.status === asked) known = null;
    });
    return asked;
  };

  return {
    normalizeAddress(address) {
      if (!ADDRESS.test(address)) throw new TypeError(`${address} is not an address`);
      return normalizeIotaAddress(address);
    },
    decodeTransaction,
    transactionJson: ({ bytes }) => transactionJson(bytes),
    verifyTransactionSignature: (transaction, signature, signer) =>
      signatures.verify(transaction.bytes, signature, signer),
    buildSplit,
    buildConsolidation,
    async chainIdentifier() {
      const chain = await read(reader.getChainIdentifier());
      if (reader === writer) return chain;
      const other = await read(writer.getChainIdentifier());
      if (chain === other) return chain;
      throw new Error(
        `LEDGER_URL and LEDGER_READ_URL must be nodes of one network, but are on ${other} and ${chain}`,
      );
    },
    status,
    countGasCoins: (owner) => countGasCoins(reader, owner),
    listGasCoins: (owner) => listGasCoins(reader, owner),
    readGasCoins: (owner, objectIds) => readGasCoins(reader, owner, objectIds),
    async inspectInputs(transaction) {
      const { epoch } = await status();
      return inspectInputs(reader, transaction, knownObjects, epoch);
    },
    // At the node that gets the transaction: it is the first to know the sponsor's coins at their latest versions.
    dryRun: (transaction) => dryRunTransaction(writer, transaction),
    haveInputsMovedOn: (transaction) => haveInputsMovedOn(reader, transaction),
    submit: (bytes, userAndSponsor) => submitTransaction(writer, bytes, userAndSponsor),
    findTransaction: (digest) => findTransaction(reader, digest),
    waitForLocalExecution: (digest, waitMs) => waitForLocalExecution(reader, digest, waitMs),
  };
}
