import type { GasStation } from '@forecourt/client';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';

const BUILD_CAR = '0xdec0::garage::build_car';
const UNITS_PER_COIN = 1e9;

export interface BuiltCar {
  readonly digest: string;
  /** Address of the sponsor. */
  readonly paidBy: string;
  /** In whole coins. */
  readonly cost: number;
}

/**
 * Has a transaction of the visitor's sponsored. Throws `GasStationError`, and `Error` when it fails on the
 * ledger.
 */
export async function buildCar(
  station: GasStation,
  visitor: Ed25519Keypair,
  model: string,
): Promise<BuiltCar> {
  const transaction = new Transaction();
  const owner = transaction.pure.address(visitor.toIotaAddress());
  transaction.moveCall({ target: BUILD_CAR, arguments: [transaction.pure.string(model), owner] });

  const { digest, effects } = await station.sponsor({ transaction, signer: visitor });

  if (effects.status.status === 'failure') throw new Error(effects.status.error);
  const { computationCost, storageCost, storageRebate } = effects.gasUsed;
  const { AddressOwner: paidBy } = effects.gasObject.owner as { AddressOwner: string };
  const cost = Number(computationCost) + Number(storageCost) - Number(storageRebate);
  return { digest, paidBy, cost: cost / UNITS_PER_COIN };
}
