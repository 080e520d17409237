import { JsonRpcError } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ExecutedTransaction, TransactionEffects } from '../../executed-transaction.js';
import { checkEffects, NodeAnswer } from '../answers/node-answer.js';
import type { CallingClient } from '../nodes/ledger-nodes.js';
import { isNotFound } from './find-transaction.js';

const METHOD = 'iota_multiGetTransactionBlocks';
/** Each may be as long as a transaction can be, several times. */
const MOST_TOGETHER = 20;
const OPTIONS = { showInput: true, showEffects: true };
/** Pays for the ledger's own transactions, which have no gas coin. */
const NOBODY = normalizeIotaAddress('0x0');

/** See `Ledger.readExecuted`. Throws `NodeFailure` for a malformed response, and for one that contradicts itself. */
export async function readExecuted(
  client: Pick<CallingClient, 'send'>,
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
 * A node refuses a whole page because of one transaction that it does not have, or that is larger than usual: the page is
 * halved, down to that one.
 */
async function readPage(
  client: Pick<CallingClient, 'send'>,
  digests: readonly string[],
): Promise<readonly ExecutedTransaction[]> {
  try {
    const answer = await client.send({ method: METHOD, params: [digests, OPTIONS] });
    return new NodeAnswer(METHOD, answer).items().flatMap(readOne);
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
  const at = answer.field('timestampMs');
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
  if (payment.gasOwner !== NOBODY) checkEffects(raw, digest, { ...payment, maySendGasCoin: true });
  return [
    {
      digest,
      ...payment,
      effects: raw.raw as TransactionEffects,
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
      executedAt: at.isAbsent ? null : at.natural(),
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
