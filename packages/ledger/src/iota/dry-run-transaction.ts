import { setTimeout as delay } from 'node:timers/promises';
import {
  type DryRunTransactionBlockResponse,
  type IotaClient,
  JsonRpcError,
} from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../decoded-transaction.js';
import type { DryRun } from '../ledger.js';
import { kindOfText } from './classify-refusal.js';
import { LOOK_AGAIN_MS } from './limits.js';
import { NodeAnswer } from './nodes/node-answer.js';
import { readEffects } from './read-effects.js';

/** Codes by which nodes say that the transaction is at fault: invalid request, invalid parameters, client error. */
const CLIENT_ERRORS: ReadonlySet<number> = new Set([-32600, -32602, -32002]);
/** Nodes put one of these before what is wrong with inputs, whatever the code. */
const ABOUT_INPUTS = /issues with transaction inputs|error checking transaction input objects/i;

type Outcome = DryRun | { readonly kind: 'missing'; readonly message: string };

/** See `Ledger.dryRun`. */
export async function dryRunTransaction(
  client: IotaClient,
  transaction: DecodedTransaction,
): Promise<DryRun> {
  let outcome = await attempt(client, transaction);
  for (const pause of LOOK_AGAIN_MS) {
    if (outcome.kind !== 'missing') return outcome;
    await delay(pause);
    outcome = await attempt(client, transaction);
  }
  return outcome.kind === 'missing' ? { ...outcome, kind: 'refused' } : outcome;
}

async function attempt(client: IotaClient, transaction: DecodedTransaction): Promise<Outcome> {
  try {
    const answer = await NodeAnswer.to('iota_dryRunTransactionBlock', () =>
      client.dryRunTransactionBlock({ transactionBlock: transaction.bytes }),
    );
    const effects = readEffects(answer.field('effects'));
    // The others are passed on as they are.
    const { events, objectChanges, balanceChanges } = answer.raw as DryRunTransactionBlockResponse;
    return {
      kind: 'accepted',
      simulated: { effects, events, objectChanges, balanceChanges },
    };
  } catch (error) {
    if (error instanceof JsonRpcError) return judge(error, transaction);
    throw error;
  }
}

function judge({ code, message }: JsonRpcError, { gasPayment }: DecodedTransaction): Outcome {
  // The coins are the sponsor's and at the version that the pool has them: the node lags behind, or the pool does.
  const isOverGas = gasPayment.some(({ objectId }) => message.includes(objectId));
  const kind = kindOfText(message);
  if (isOverGas || kind === 'unknown') return { kind: 'undecided', message };
  if (kind === 'missing') return { kind, message };
  const isOverTransaction = kind !== null || CLIENT_ERRORS.has(code) || ABOUT_INPUTS.test(message);
  return { kind: isOverTransaction ? 'refused' : 'undecided', message };
}
