import type { DevnetControl } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';

const FUNDS = 900_000_000_000;
const GARAGE = '0xdec0::garage';

/** A user with coins who executes transactions on the ledger. */
export interface LedgerUser {
  readonly address: string;
  /** Returns the digest in base58, and the ids of the created objects. */
  run(fill: (tx: Transaction) => void): Promise<{ digest: string; created: string[] }>;
}

export async function createLedgerUser(
  ledger: IotaClient,
  control: DevnetControl,
): Promise<LedgerUser> {
  const signer = new Ed25519Keypair();
  const address = signer.toIotaAddress();
  await control.mint(address, FUNDS);
  return {
    address,
    async run(fill) {
      const transaction = new Transaction();
      fill(transaction);
      const { digest, effects } = await ledger.signAndExecuteTransaction({
        transaction,
        signer,
        options: { showEffects: true },
      });
      if (effects?.status.status !== 'success') throw new Error(JSON.stringify(effects?.status));
      await control.untilShown();
      return {
        digest,
        created: (effects.created ?? []).map(({ reference }) => reference.objectId),
      };
    },
  };
}

/** Makes a car for `owner`, which emits `CarBuilt`. */
export function buildCar(tx: Transaction, model: string, owner: string): void {
  const args = [tx.pure.string(model), tx.pure.address(owner)];
  tx.moveCall({ target: `${GARAGE}::build_car`, arguments: args });
}

/** Changes a car, which emits `CarDriven`. */
export function driveCar(tx: Transaction, car: string, distance: number): void {
  const args = [tx.object(car), tx.pure.u64(distance)];
  tx.moveCall({ target: `${GARAGE}::drive`, arguments: args });
}

export function scrapCar(tx: Transaction, car: string): void {
  tx.moveCall({ target: `${GARAGE}::scrap`, arguments: [tx.object(car)] });
}
