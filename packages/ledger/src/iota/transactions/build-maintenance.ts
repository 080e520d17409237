import { Transaction } from '@iota/iota-sdk/transactions';
import { bcs } from '@iota/iota-sdk/bcs';
import type {
  BuiltTransaction,
  MaintenanceRequest,
  SplitRequest,
  WithdrawalRequest,
} from '../../ledger-codec.js';
import { transactionDigest } from './hash.js';
import { MAX_COINS_PER_SPLIT } from '../limits.js';

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
 * See `Ledger.buildWithdrawal`: sends the gas coin itself. The ledger takes the gas out of the sent
 * coin.
 */
export async function buildWithdrawal(request: WithdrawalRequest): Promise<BuiltTransaction> {
  const tx = new Transaction();
  tx.transferObjects([tx.gas], tx.pure.address(request.to));
  return finish(tx, request);
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
