import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { ReceivedRequest } from './stand-in-gas-station.test-support.js';

export const SPONSOR = `0x${'5'.repeat(64)}`;
export const COINS = [1, 2].map((version) => ({
  objectId: `0x${String(version).repeat(64)}`,
  version,
  digest: 'F5eLtuKLVKsVE3RBnaDxwjgQg5TjXkkBQZW4nMv8qEY3',
}));
export const BUDGET = 10_000_000;
const GAS_PRICE = 1_000;

export const user = new Ed25519Keypair();
export const sender = user.toIotaAddress();

/** Calls that can be built without a node. */
export function burn(...units: number[]): Transaction {
  const transaction = new Transaction();
  transaction.setGasPrice(GAS_PRICE);
  for (const one of units) {
    const args = [transaction.pure.u64(one)];
    transaction.moveCall({ target: '0xdec0::garage::burn', arguments: args });
  }
  return transaction;
}

export interface BuiltFor {
  readonly sender?: string;
  /** The address that pays. */
  readonly owner?: string;
  /** The address that the answer names as the payer. */
  readonly named?: string;
}

/** The result of `build_tx`. */
export async function completeTransaction(
  transaction: Transaction,
  builtFor: BuiltFor = {},
): Promise<object> {
  transaction.setSender(builtFor.sender ?? sender);
  transaction.setGasOwner(builtFor.owner ?? SPONSOR);
  transaction.setGasPayment(COINS);
  transaction.setGasBudget(BUDGET);
  transaction.setGasPrice(GAS_PRICE);
  const bytes = await transaction.build();
  return {
    tx_bytes: Buffer.from(bytes).toString('base64'),
    digest: await transaction.getDigest(),
    reservation_id: 8,
    gas_budget: BUDGET,
    sponsor_address: builtFor.named ?? builtFor.owner ?? SPONSOR,
    expires_at: 1_800_000_000_000,
  };
}

/** The body of the answer of a gas station with two coins. */
export async function answerHonestly({ path, body }: ReceivedRequest): Promise<object> {
  switch (path) {
    case '/v1/reserve_gas':
      return { result: { sponsor_address: SPONSOR, reservation_id: 7, gas_coins: COINS } };
    case '/v1/build_tx': {
      const kind = Transaction.fromKind(String(body['kind_bytes']));
      return { result: await completeTransaction(kind) };
    }
    case '/v1/execute_tx': {
      const bytes = Buffer.from(String(body['tx_bytes']), 'base64');
      const transactionDigest = await Transaction.from(bytes).getDigest();
      return { effects: { status: { status: 'success' }, transactionDigest }, error: null };
    }
    default:
      return { result: { released: true } };
  }
}
