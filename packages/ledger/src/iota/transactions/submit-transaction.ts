import { type DryRunTransactionBlockResponse, JsonRpcError } from '@iota/iota-sdk/client';
import type { DryRun, LedgerStatus, Submission } from '../../ledger.js';
import { readPayment } from '../answers/node-answer.js';
import { classifyRefusal, isRefusedWithinEpoch, kindOfText } from '../nodes/classify-refusal.js';
import { findTransaction } from './find-transaction.js';
import { transactionDigest } from './decoding/decode-transaction.js';
import type { LedgerNodes } from '../nodes/ledger-nodes.js';
import type { TransactionEffects } from '../../executed-transaction.js';
import { type CallSender, NodeRefusal } from '../transport/node-transport.js';
import { isOfAbstractAccount } from '../signatures/user-signatures.js';
import type { DecodedTransaction } from '../../decoded-transaction.js';

const SUBMIT = 'iota_executeTransactionBlock';
/** How far the clocks of this machine and of the ledger may differ, and how long a node may lag. */
const CLOCKS_DIFFER_MS = 60_000;

type EpochTimes = Pick<LedgerStatus, 'epochStartedAt' | 'epochEndsAt'>;

/** See `Ledger.submit`. `readEpoch`: asks a node for the present epoch. */
export async function submitTransaction(
  client: LedgerNodes,
  bytes: Uint8Array,
  signatures: readonly string[],
  readEpoch: () => Promise<EpochTimes>,
): Promise<Submission> {
  const startedAt = Date.now();
  try {
    const base64 = Buffer.from(bytes).toString('base64');
    // Nodes differ in the default of the request type.
    const params = [base64, signatures, { showEffects: true }, 'WaitForEffectsCert'];
    const answer = await client.send({ method: SUBMIT, params });
    const { effects } = answer as { readonly effects: TransactionEffects };
    return { kind: 'executed', effects };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) return { kind: 'unknown', message: textOf(error) };
    const { kind, message } = classifyRefusal(error);
    if (kind === 'finalized') return findFinalized(client, bytes, message);
    const isRefused =
      kind === 'refused' ||
      (isRefusedWithinEpoch(error) && (await wasWithinEpoch(startedAt, readEpoch)));
    if (!isRefused) return { kind, message };
    // The verdict of an authenticator can change with the objects that it reads: some validators may have accepted the
    // transaction, and the others may accept it later.
    return { kind: signatures.some(isOfAbstractAccount) ? 'conflict' : 'refused', message };
  }
}

/** Whether the epoch has not changed since then, whatever the clocks. */
async function wasWithinEpoch(
  startedAt: number,
  readEpoch: () => Promise<EpochTimes>,
): Promise<boolean> {
  const epoch = await readEpoch().catch(() => null);
  if (epoch === null) return false;
  const { epochStartedAt, epochEndsAt } = epoch;
  return (
    epochStartedAt + CLOCKS_DIFFER_MS < startedAt && Date.now() + CLOCKS_DIFFER_MS < epochEndsAt
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** It has landed with other signatures, which is equivalent for the coins. */
async function findFinalized(
  client: LedgerNodes,
  bytes: Uint8Array,
  message: string,
): Promise<Submission> {
  try {
    const digest = transactionDigest(bytes);
    const found = await client.confirmed((node) =>
      findTransaction(node, digest, readPayment(bytes)),
    );
    return found ? { kind: 'executed', effects: found.effects } : { kind: 'unknown', message };
  } catch {
    return { kind: 'unknown', message };
  }
}

/**
 * Codes by which nodes report a fault of the transaction: invalid request, invalid parameters,
 * client error.
 */
const CLIENT_ERRORS: ReadonlySet<number> = new Set([-32600, -32602, -32002]);
/** Nodes put one of these prefixes before a fault of inputs, with any code. */
const ABOUT_INPUTS = /issues with transaction inputs|error checking transaction input objects/i;

/**
 * Nodes of 2025 print the error's name and fields instead of its text; these two need more than the
 * code and the prefix.
 */
const DEBUG_NAMES: readonly (readonly [RegExp, 'missing' | 'refused'])[] = [
  [/\bObjectNotFound \{/, 'missing'],
  [/\bPackageVerificationTimedout \{/, 'refused'],
];
/**
 * Validators refuse such a transaction permanently; a node that lags also reports it for a new
 * package.
 */
const ABSENT_PACKAGE = /dependent ?package ?not ?found/i;

/** See `Ledger.dryRun`. */
export async function dryRunTransaction(
  client: CallSender,
  transaction: DecodedTransaction,
): Promise<DryRun> {
  try {
    const params = [Buffer.from(transaction.bytes).toString('base64')];
    const shown = (await client.send({ method: 'iota_dryRunTransactionBlock', params })) as Omit<
      DryRunTransactionBlockResponse,
      'effects'
    > & {
      readonly effects: TransactionEffects;
    };
    // Other errors are passed on unchanged.
    const { effects, events, objectChanges, balanceChanges } = shown;
    return {
      kind: 'accepted',
      simulated: { effects, events, objectChanges, balanceChanges },
    };
  } catch (error) {
    if (error instanceof JsonRpcError) return judge(error, transaction);
    throw error;
  }
}

function judge({ code, message }: JsonRpcError, { gasPayment }: DecodedTransaction): DryRun {
  // The coins are the sponsor's, at the pool's versions: the node lags behind, or the pool does.
  const isOverGas = gasPayment.some(({ objectId }) => message.includes(objectId));
  const named = DEBUG_NAMES.find(([name]) => name.test(message));
  const kind = named?.[1] ?? kindOfText(message);
  if (kind === 'unknown') return { kind: 'undecided', message };
  if (isOverGas) return { kind: 'behind', message };
  if (kind === 'missing' || ABSENT_PACKAGE.test(message)) return { kind: 'missing', message };
  const isOverTransaction = kind !== null || CLIENT_ERRORS.has(code) || ABOUT_INPUTS.test(message);
  return { kind: isOverTransaction ? 'refused' : 'undecided', message };
}
