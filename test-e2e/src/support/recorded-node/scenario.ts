import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';

export interface CoinReference {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

/**
 * The two accounts of the recording: the sender of everything, and the sponsor or owner of objects that the sender may
 * not use.
 */
const USER = '0xa7c847b29ecf525090ecb45231cf2d80283d063900c2ed759798d04d569b0692';
const OTHER = '0x4633a607f11f567371838c47a95faae3a03afaac58357b21de366ea9c820915d';
const COINS = 100;
const COIN = '20000000000';

/** Devnet accounts that replace those of the recording, with unused coins. */
export class Scenario {
  readonly client: IotaClient;
  /** The account that sends everything, as recorded. */
  readonly user = USER;
  readonly #accounts = new Map([
    [USER, new Ed25519Keypair()],
    [OTHER, new Ed25519Keypair()],
  ]);
  readonly #coins = new Map<string, CoinReference[]>();

  constructor(
    readonly url: string,
    private readonly controlUrl: string,
  ) {
    this.client = new IotaClient({ url });
  }

  async begin(): Promise<void> {
    for (const [recorded, key] of this.#accounts) {
      const owner = key.toIotaAddress();
      const response = await fetch(`${this.controlUrl}/mint`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ owner, amount: COIN, count: COINS }),
      });
      if (!response.ok) throw new Error(`devnet mints no coins: ${await response.text()}`);
      const { data } = await this.client.getCoins({ owner });
      const coins = data.map(({ coinObjectId: objectId, version, digest }) => {
        return { objectId, version, digest };
      });
      this.#coins.set(recorded, coins);
    }
  }

  /** The account that replaces a recorded one; null: none does. */
  keyOf(recorded: string): Ed25519Keypair | null {
    return this.#accounts.get(recorded) ?? null;
  }

  addressOf(recorded: string): string {
    return this.keyOf(recorded)?.toIotaAddress() ?? recorded;
  }

  /** A coin that no other call uses. */
  takeCoin(recordedOwner: string): CoinReference {
    const coin = this.#coins.get(recordedOwner)?.pop();
    if (!coin) throw new Error(`no coin of ${recordedOwner} is left`);
    return coin;
  }

  /** Advances the coin to a new version, so that the reference becomes stale. */
  async spend(coin: CoinReference, recordedOwner: string): Promise<void> {
    const signer = this.keyOf(recordedOwner)!;
    const transaction = new Transaction();
    transaction.setSender(signer.toIotaAddress());
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(10_000_000);
    await this.client.signAndExecuteTransaction({ signer, transaction });
  }
}
