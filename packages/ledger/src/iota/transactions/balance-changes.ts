import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../../executed-transaction.js';
import { netGas } from '../../gas-costs.js';
import type { BalanceChange } from '../../ledger.js';

const GAS_TYPE = normalizeStructTag('0x2::iota::IOTA');

interface ShownChange {
  /** `{AddressOwner: "0x…"}`, `{ObjectOwner: "0x…"}`, `{Shared: {…}}`, `"Immutable"`. */
  readonly owner: unknown;
  readonly coinType: string;
  /** Decimal. */
  readonly amount: string;
}

/** See `LedgerCodec.readBalanceChanges`. */
export function readBalanceChanges(
  shown: unknown,
  gasOwner: string,
  effects: Pick<TransactionEffects, 'gasUsed'>,
): BalanceChange[] {
  if (!Array.isArray(shown)) throw new TypeError('balance changes are a list');
  const changes = (shown as readonly ShownChange[]).map(({ owner, coinType, amount }) => ({
    owner: addressOf(owner),
    coinType: normalizeStructTag(coinType),
    amount: BigInt(amount),
  }));
  const gas = { owner: gasOwner, coinType: GAS_TYPE, amount: netGas(effects) };
  const totals = Map.groupBy([...changes, gas], ({ owner, coinType }) => `${owner} ${coinType}`);
  return [...totals.values()]
    .map((same) => ({ ...same[0]!, amount: same.reduce((sum, { amount }) => sum + amount, 0n) }))
    .filter(({ amount }) => amount !== 0n);
}

function addressOf(owner: unknown): string | null {
  const { AddressOwner: account, ObjectOwner: object } = Object(owner) as Record<string, unknown>;
  const id = account ?? object;
  return typeof id === 'string' ? normalizeIotaAddress(id) : null;
}
