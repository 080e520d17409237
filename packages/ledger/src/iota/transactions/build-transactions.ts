import { bcs } from '@iota/iota-sdk/bcs';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase64, toHex } from '@iota/iota-sdk/utils';
import { MAX_COINS_PER_SPLIT } from '../limits.js';
import { transactionDigest } from './decoding/transaction-digest.js';
import type {
  BuiltTransaction,
  MaintenanceRequest,
  SplitRequest,
  WithdrawalRequest,
} from '../../ledger.js';

/** See `Ledger.buildSplit`. Throws `RangeError` for more coins than one transaction can make. */
export async function buildSplit(request: SplitRequest): Promise<BuiltTransaction> {
  const { amount, count, sponsor } = request;
  if (count < 1 || count > MAX_COINS_PER_SPLIT) {
    throw new RangeError(`a split makes 1 to ${MAX_COINS_PER_SPLIT} coins, not ${count}`);
  }
  const tx = new Transaction();
  const each = tx.pure(bcs.u64().serialize(amount));
  const made = tx.splitCoins(tx.gas, Array<typeof each>(count).fill(each));
  const coins = Array.from({ length: count }, (_, index) => made[index]!);
  tx.transferObjects(coins, tx.pure.address(sponsor));
  return finish(tx, request);
}

/**
 * See `Ledger.buildConsolidation`: a transaction that pays gas with all the coins merges them. Its
 * command has no effect.
 */
export async function buildConsolidation(request: MaintenanceRequest): Promise<BuiltTransaction> {
  const tx = new Transaction();
  tx.makeMoveVec({ type: 'u8', elements: [] });
  return finish(tx, request);
}

/**
 * See `Ledger.buildWithdrawal`: sends the gas coin itself, out of which the ledger takes the gas, or an
 * amount that is split off it.
 */
export async function buildWithdrawal(request: WithdrawalRequest): Promise<BuiltTransaction> {
  const { amount, to } = request;
  const tx = new Transaction();
  const sent =
    amount === null ? tx.gas : tx.splitCoins(tx.gas, [tx.pure(bcs.u64().serialize(amount))])[0];
  tx.transferObjects([sent], tx.pure.address(to));
  return finish(tx, request);
}

const NO_OBJECT = {
  objectId: `0x${'0'.repeat(64)}`,
  version: '0',
  digest: '1'.repeat(32),
} as const;

/**
 * Bytes of a sponsor's transaction that no ledger executes: its gas coin does not exist, its gas price and
 * budget are below every minimum, and it has expired. Signed to prove that a key can sign.
 */
export function buildProbe(sponsor: string): Promise<Uint8Array> {
  const tx = new Transaction();
  tx.makeMoveVec({ type: 'u8', elements: [] });
  tx.setSender(sponsor);
  tx.setGasOwner(sponsor);
  tx.setGasPayment([NO_OBJECT]);
  tx.setGasPrice(1);
  tx.setGasBudget(1);
  tx.setExpiration({ Epoch: '0' });
  return tx.build();
}

async function finish(tx: Transaction, request: MaintenanceRequest): Promise<BuiltTransaction> {
  tx.setSender(request.sponsor);
  tx.setGasOwner(request.sponsor);
  tx.setGasPayment(request.coins.map((coin) => ({ ...coin })));
  tx.setGasPrice(request.gasPrice);
  tx.setGasBudget(request.gasBudget);
  const { expirationEpoch } = request;
  if (expirationEpoch !== undefined) tx.setExpiration({ Epoch: String(expirationEpoch) });
  const bytes = await tx.build();
  return { bytes, digest: transactionDigest(bytes) };
}

/** The commands that `buildSplit`, `buildConsolidation` and `buildWithdrawal` use. */
const COMMANDS: readonly string[] = ['SplitCoins', 'TransferObjects', 'MakeMoveVec'];
const ADDRESS_BYTES = 32;

/**
 * See `Ledger.findRecipients`. An address can only be an input by value: these commands return
 * coins and vectors.
 */
export function findRecipients(bytes: Uint8Array): readonly string[] | null {
  const { commands, inputs } = Transaction.from(bytes).getData();
  if (!commands.every(({ $kind }) => COMMANDS.includes($kind))) return null;
  const recipients = new Set<string>();
  for (const input of inputs) {
    if (input.$kind !== 'Pure') return null;
    const value = fromBase64(input.Pure.bytes);
    if (value.length === ADDRESS_BYTES) recipients.add(`0x${toHex(value)}`);
  }
  return [...recipients];
}
