import {
  COIN_STORAGE_COST,
  type GasCoin,
  type Ledger,
  type MaintenanceRequest,
  MIN_COMPUTATION_UNITS,
  type SplitRequest,
  type Submission,
  type TransactionEffects,
} from '@forecourt/ledger';

/** The cost of a user's transaction, in the smallest unit. */
export interface Payment {
  readonly computation: bigint;
  /** For new objects, without the gas coin's own deposit. */
  readonly storage: bigint;
  /** Deposits of objects that it deletes. */
  readonly rebate: bigint;
  readonly succeeds: boolean;
}

type Maintenance = MaintenanceRequest & {
  readonly amount: bigint;
  readonly count: number;
};

/**
 * One sponsor's coins on the ledger: payment coins are smashed into the first one, storage is paid
 * and refunded. It refuses coins that are not at their latest version, so the pool must keep
 * correct records.
 */
export class SimulatedLedger implements Pick<
  Ledger,
  'buildConsolidation' | 'buildSplit' | 'countGasCoins' | 'listGasCoins' | 'status' | 'submit'
> {
  readonly made = { split: 0, consolidation: 0, coins: 0 };
  readonly #coins = new Map<string, GasCoin>();
  readonly #built = new Map<string, Maintenance>();
  #sequence = 0;

  constructor(
    private readonly sponsor: string,
    readonly gasPrice: bigint,
    funds: readonly bigint[],
  ) {
    for (const balance of funds) this.write(this.newId(), 1, balance);
  }

  async status() {
    return {
      epoch: 1n,
      referenceGasPrice: this.gasPrice,
      epochStartedAt: 0,
      epochEndsAt: 0,
      objectLockMs: null,
    };
  }
  async countGasCoins() {
    return BigInt(this.#coins.size);
  }
  async *listGasCoins() {
    yield [...this.#coins.values()];
  }

  /** Every coin at its current version. */
  coins(): readonly GasCoin[] {
    return [...this.#coins.values()];
  }

  buildConsolidation(request: MaintenanceRequest) {
    return this.build({ ...request, amount: 0n, count: 0 });
  }
  buildSplit(request: SplitRequest) {
    return this.build(request);
  }

  /** Executes a split or consolidation that the pool built. */
  async submit(bytes: Uint8Array): Promise<Submission> {
    const request = this.#built.get(Buffer.from(bytes).toString());
    if (!request) return { kind: 'refused', message: 'never built' };
    this.#built.delete(Buffer.from(bytes).toString());
    const { coins, amount, count, gasPrice } = request;
    this.made[count > 0 ? 'split' : 'consolidation'] += 1;
    this.made.coins += count;
    const version = this.nextVersion(coins.map(({ objectId }) => objectId));
    const created = Array.from({ length: count }, () => this.write(this.newId(), version, amount));
    const effects = this.charge(
      coins.map(({ objectId }) => objectId),
      {
        computation: MIN_COMPUTATION_UNITS * gasPrice,
        storage: COIN_STORAGE_COST * BigInt(count),
        rebate: 0n,
        succeeds: true,
      },
      amount * BigInt(count),
    );
    const owner = { AddressOwner: this.sponsor };
    return {
      kind: 'executed',
      effects: { ...effects, created: created.map((reference) => ({ owner, reference })) },
    };
  }

  /** Executes a user's transaction that these coins pay for. Throws when one is stale. */
  pay(coins: readonly GasCoin[], payment: Payment): TransactionEffects {
    for (const coin of coins) {
      const now = this.#coins.get(coin.objectId);
      if (now?.version !== coin.version || now.balance !== coin.balance) {
        throw new Error(`coin ${coin.objectId} is not at version ${coin.version}`);
      }
    }
    return this.charge(
      coins.map(({ objectId }) => objectId),
      payment,
      0n,
    );
  }

  private charge(
    ids: readonly string[],
    { computation, storage, rebate: ofObjects, succeeds }: Payment,
    spent: bigint,
  ): TransactionEffects {
    const version = this.nextVersion(ids);
    const sum = ids.reduce((total, id) => total + this.#coins.get(id)!.balance, 0n);
    const rebate = COIN_STORAGE_COST * BigInt(ids.length) + ofObjects;
    const stored = COIN_STORAGE_COST + storage;
    for (const id of ids) this.#coins.delete(id);
    const left = sum - computation - stored + rebate - spent;
    if (left < 0n) throw new Error(`coins of ${sum} cannot pay ${sum - left}`);
    const coin = this.write(ids[0]!, version, left);
    return {
      messageVersion: 'v1',
      status: { status: succeeds ? 'success' : 'failure' },
      transactionDigest: coin.digest,
      executedEpoch: '1',
      gasUsed: {
        computationCost: String(computation),
        computationCostBurned: String(computation),
        storageCost: String(stored),
        storageRebate: String(rebate),
        nonRefundableStorageFee: '0',
      },
      gasObject: { owner: { AddressOwner: this.sponsor }, reference: coin },
    };
  }

  private async build(request: Maintenance) {
    const digest = `Built${(this.#sequence += 1)}`;
    this.#built.set(digest, request);
    return { bytes: Buffer.from(digest), digest };
  }

  private nextVersion(ids: readonly string[]): number {
    return 1 + ids.reduce((highest, id) => Math.max(highest, this.#coins.get(id)!.version), 0);
  }

  private newId(): string {
    return `0x${(this.#sequence += 1).toString(16).padStart(64, '0')}`;
  }

  private write(objectId: string, version: number, balance: bigint): GasCoin {
    const digest = `Digest${(this.#sequence += 1)}`;
    const coin = { objectId, version, digest, balance };
    this.#coins.set(objectId, coin);
    return coin;
  }
}
