import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';

/** An object in one version; most are coins. */
export interface CoinReference {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

export interface ScenarioOptions {
  /** JSON-RPC. */
  readonly url: string;
  readonly controlUrl: string;
  /** The recording's accounts, that of the user first, each with the balance of each of its coins. */
  readonly accounts: Readonly<Record<string, string>>;
  /** The number of coins of each account. */
  readonly coins: number;
}

/** Devnet accounts that replace those of the recording, with unused coins. */
export class Scenario {
  readonly client: IotaClient;
  /** The account that sends everything, as recorded. */
  readonly user: string;
  readonly #keys: Map<string, Ed25519Keypair>;
  readonly #coins = new Map<string, CoinReference[]>();

  constructor(readonly options: ScenarioOptions) {
    this.client = new IotaClient({ url: options.url });
    const accounts = Object.keys(options.accounts);
    this.user = accounts[0]!;
    this.#keys = new Map(accounts.map((account) => [account, new Ed25519Keypair()]));
  }

  async begin(): Promise<void> {
    const { accounts, coins: count } = this.options;
    for (const [account, amount] of Object.entries(accounts)) {
      const body = { owner: this.addressOf(account), amount, count };
      const { coins } = (await this.control('POST', '/mint', body)) as { coins: CoinReference[] };
      const usable = coins.map((coin) => ({ ...coin, version: String(coin.version) }));
      this.#coins.set(account, usable);
    }
  }

  /** Calls the control interface. */
  async control(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.options.controlUrl}${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  /** The account that replaces a recorded one; null: none does. */
  keyOf(recorded: string): Ed25519Keypair | null {
    return this.#keys.get(recorded) ?? null;
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

  /**
   * Advances the coin to a new version, so that the reference becomes stale; returns the transaction's
   * digest.
   */
  async spend(coin: CoinReference, recordedOwner: string): Promise<string> {
    const signer = this.keyOf(recordedOwner)!;
    const transaction = new Transaction();
    transaction.setSender(signer.toIotaAddress());
    transaction.setGasPayment([coin]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(10_000_000);
    const { digest } = await this.client.signAndExecuteTransaction({ signer, transaction });
    return digest;
  }
}
