import { setTimeout as delay } from 'node:timers/promises';
import { JsonRpcError } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import type { ExpectedPayment } from '../../expected-payment.js';
import { readStatus } from '../nodes/ledger-status.js';
import { readEffects } from '../answers/read-effects.js';
import { NodeAnswer } from '../answers/node-answer.js';
import type { NodeClient, ShownTransaction } from '../client/node-client.js';
import type { ClientCall } from '../client/routed-client.js';
import type { LedgerNodes } from '../nodes/ledger-nodes.js';
import type { FinalTransaction, TransactionPart } from '../../ledger.js';
import type { ExecutedTransaction } from '../../executed-transaction.js';

/**
 * Codes for a transaction that the node does not find: invalid parameters until August 2026, a
 * dedicated code since, an internal error behind an indexer.
 */
const NOT_FOUND_CODES: ReadonlySet<number> = new Set([-32602, -32003, -32603]);
const NOT_FOUND = /could not find the referenced transaction|not found/i;

/** See `Ledger.findTransaction`. */
export async function findTransaction(
  client: NodeClient,
  digest: string,
  payment?: ExpectedPayment,
): Promise<FinalTransaction | null> {
  try {
    const { effects } = await client.getTransaction(digest, ['effects'], payment);
    return effects ? { digest, effects } : null;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Whether the error states that the node does not know the transaction. */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof JsonRpcError)) return false;
  return NOT_FOUND_CODES.has(error.code) && NOT_FOUND.test(error.message);
}

/** See `Ledger.readTransactionParts`. */
export async function readTransactionParts(
  client: NodeClient,
  digest: string,
  parts: readonly TransactionPart[],
): Promise<Partial<Record<TransactionPart, unknown>> | null> {
  try {
    const { transaction: input, ...others } = await client.getTransaction(digest, parts);
    const found = { input, ...others };
    return Object.fromEntries(parts.map((part) => [part, found[part] ?? null]));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** See `Ledger.hasExpired`. `node`: one node, since another may not have reached the end of the epoch yet. */
export async function hasExpired(
  node: NodeClient,
  { digest, expirationEpoch }: Pick<DecodedTransaction, 'digest' | 'expirationEpoch'>,
): Promise<boolean> {
  if (expirationEpoch === null) return false;
  // Reads the epoch first: a node that has ended an epoch shows every transaction that landed in it.
  const { epoch } = await readStatus(node);
  return epoch > expirationEpoch && (await findTransaction(node, digest)) === null;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 1_000;
/** Time of the last look, which begins when the caller's time is over. */
const LAST_LOOK_MS = 1_000;

/**
 * See `Ledger.waitForLocalExecution`. A node that does not answer counts as one that does not show the
 * transaction yet; over gRPC, a checkpoint must include it. Asks, since a node that is requested to wait for
 * the checkpoint may always wait for as long as it is allowed to.
 */
export async function waitForLocalExecution(
  client: LedgerNodes,
  digest: string,
  timeoutMs: number,
): Promise<boolean> {
  const look: ClientCall<ShownTransaction> = {
    method: 'getTransaction',
    ask: (node) => node.getTransaction(digest, ['effects']),
    signal: AbortSignal.timeout(timeoutMs + LAST_LOOK_MS),
  };
  const isShown = async () => {
    const found = await client.send(look).catch(() => null);
    return found?.effects != null && found.checkpoint !== null;
  };
  const deadline = performance.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (await isShown()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
    // Does not compare the clock: a timer may fire slightly early.
    if (left <= pause) return isShown();
  }
}

/** Each may be as long as a transaction can be, several times. */
const MOST_TOGETHER = 20;
/** Pays for the ledger's own transactions, which have no gas coin. */
const NOBODY = normalizeIotaAddress('0x0');

/**
 * See `Ledger.readExecuted`. Throws `NodeFailure` for a malformed response, and for one that contradicts
 * itself.
 */
export async function readExecuted(
  client: NodeClient,
  digests: readonly string[],
): Promise<Map<string, ExecutedTransaction>> {
  const found = new Map<string, ExecutedTransaction>();
  for (let from = 0; from < digests.length; from += MOST_TOGETHER) {
    for (const one of await readPage(client, digests.slice(from, from + MOST_TOGETHER))) {
      found.set(one.digest, one);
    }
  }
  return found;
}

/**
 * A node refuses a whole page because of one transaction that it does not have, or that is larger than usual:
 * the page is halved, down to that one.
 */
async function readPage(
  client: NodeClient,
  digests: readonly string[],
): Promise<readonly ExecutedTransaction[]> {
  try {
    const found = await client.getTransactions(digests, ['input', 'effects']);
    return found.flatMap((one) => (one ? readOne(new NodeAnswer('getTransactions', one)) : []));
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    if (digests.length > 1) {
      const middle = Math.ceil(digests.length / 2);
      const first = await readPage(client, digests.slice(0, middle));
      return [...first, ...(await readPage(client, digests.slice(middle)))];
    }
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** None for a transaction that the node does not have, or cannot show. */
function readOne(answer: NodeAnswer): readonly ExecutedTransaction[] {
  const [transaction, raw] = [answer.partOf('transaction'), answer.partOf('effects')];
  if (!transaction || !raw || transaction.isAbsent || raw.isAbsent) return [];
  const data = transaction.field('data');
  const gas = data.field('gasData');
  const time = answer.field('timestampMs');
  const digest = answer.field('digest').text();
  const payment = {
    gasOwner: addressOf(gas.field('owner')),
    gasPayment: itemsOf(gas.field('payment')).map((coin) => ({
      objectId: addressOf(coin.field('objectId')),
      version: coin.field('version').natural(),
      digest: coin.field('digest').text(),
    })),
    gasBudget: gas.field('budget').amount(),
  };
  const paid = { ...payment, maySendGasCoin: true };
  const effects = readEffects(raw, digest, payment.gasOwner === NOBODY ? undefined : paid);
  return [
    {
      digest,
      ...payment,
      effects,
      sender: addressOf(data.field('sender')),
      commands: commandsOf(data.field('transaction')),
      versionsBefore: new Map(
        itemsOf(raw.field('modifiedAtVersions')).map((one) => [
          addressOf(one.field('objectId')),
          one.field('sequenceNumber').natural(),
        ]),
      ),
      versionsAfter: new Map(
        (['created', 'mutated', 'unwrapped'] as const)
          .flatMap((list) => itemsOf(raw.field(list)))
          .map((one) => one.field('reference'))
          .map((one) => [addressOf(one.field('objectId')), one.field('version').natural()]),
      ),
      dependencies: itemsOf(raw.field('dependencies')).map((one) => one.text()),
      executedAt: time.isAbsent ? null : time.natural(),
    },
  ];
}

/** Nodes leave out empty lists. */
function itemsOf(answer: NodeAnswer): readonly NodeAnswer[] {
  return answer.isAbsent ? [] : answer.items();
}

function addressOf(answer: NodeAnswer): string {
  return normalizeIotaAddress(answer.text());
}

/** The ledger's own transactions have none. */
function commandsOf(program: NodeAnswer): readonly string[] {
  if (program.field('kind').raw !== 'ProgrammableTransaction') return [];
  return itemsOf(program.field('transactions')).map(describeCommand);
}

/** A command is an object with its kind as the only field, or a text without parts. */
function describeCommand(command: NodeAnswer): string {
  const { raw } = command;
  if (typeof raw === 'string') return raw;
  const call = command.field('MoveCall');
  if (call.isAbsent) return Object.keys(raw as object)[0] ?? '';
  const [module, name] = [call.field('module').text(), call.field('function').text()];
  return `MoveCall ${addressOf(call.field('package'))}::${module}::${name}`;
}
