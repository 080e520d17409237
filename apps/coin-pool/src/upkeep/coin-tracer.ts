import {
  type ExecutedTransaction,
  type GasCoin,
  type Ledger,
  netGas,
  type ShownCoin,
} from '@forecourt/ledger';

/** Reads of one trace: it ends here, however many transactions are missing. */
const MOST_TRANSACTIONS = 10_000;
/** The clocks of the ledger and of Redis differ by less. */
const CLOCKS_DIFFER_MS = 60_000;

/** A coin that the ledger shows at another version than its pool. */
export interface ChangedCoin {
  readonly objectId: string;
  /** Null: the coin is new to the pool. */
  readonly before: GasCoin | null;
  /** Null: it is no longer the sponsor's. */
  readonly after: ShownCoin | null;
}

/** A pool's knowledge besides the coins that have changed. */
export interface PoolMemory {
  /** See `readLostSince`. */
  readonly lostSince: number | null;
  /** The ids of its coins, also of those that have left it lately. */
  readonly coins: ReadonlySet<string>;
  /** The digests of transactions that it has counted lately because they were found on the ledger. */
  readonly found: readonly string[];
}

/** The time of a coin between two versions, as far as the ledger still has it. */
export interface TracedCoin {
  /**
   * The transactions that it has paid for as the first gas coin, the oldest first. Each belongs to one coin.
   */
  readonly paidFor: readonly ExecutedTransaction[];
  /** Whether the ledger has shown every transaction that changed it. */
  readonly isWhole: boolean;
  /**
   * Its loss in other transactions than those, with the coins that were merged into it. Negative where it has
   * gained, as from a coin in a transaction that the ledger does not show.
   */
  readonly unexplained: bigint;
}

/** One version of a coin, whose history is looked for. */
interface Step {
  /** The coin that the transactions count for. */
  readonly root: string;
  readonly objectId: string;
  readonly version: number;
  /** Transactions of which one has made this version. */
  readonly makers: readonly string[];
}

/**
 * Finds the transactions that changed coins since the versions that a pool knows: from the last one of each
 * coin back, over the transactions that made its inputs. Coins that they have consumed are followed too. One
 * of them that its pool does not know has come and gone since `lostSince`.
 */
export class CoinTracer {
  readonly #known = new Map<string, ExecutedTransaction>();
  readonly #requestedDigests = new Set<string>();
  readonly #followed = new Set<string>();
  /** The latest first. */
  readonly #paidFor = new Map<string, ExecutedTransaction[]>();
  readonly #broken = new Set<string>();
  readonly #explained = new Set<string>();
  /** Changed coins, by the id of the coin that has consumed them. */
  readonly #merged = new Map<string, string[]>();
  readonly #consumed = new Set<string>();
  readonly #changed: ReadonlyMap<string, ChangedCoin>;

  private constructor(
    private readonly ledger: Ledger,
    private readonly sponsor: string,
    changed: readonly ChangedCoin[],
    private readonly pool: PoolMemory,
  ) {
    this.#changed = new Map(changed.map((coin) => [coin.objectId, coin]));
  }

  /** By id of the coin. Throws the errors of the ledger. */
  static async trace(
    ledger: Ledger,
    sponsor: string,
    changed: readonly ChangedCoin[],
    pool: PoolMemory,
  ): Promise<ReadonlyMap<string, TracedCoin>> {
    const tracer = new CoinTracer(ledger, sponsor, changed, pool);
    await tracer.follow(tracer.firstSteps());
    // A coin that is gone was consumed by a transaction of another one, or belongs to somebody else.
    await tracer.follow(await tracer.stepsOfConsumed());
    await tracer.follow(await tracer.stepsOfMoved());
    return new Map(changed.map(({ objectId }) => [objectId, tracer.resultOf(objectId)]));
  }

  private firstSteps(): readonly Step[] {
    return [...this.#changed.values()].flatMap(({ objectId, after }) => {
      if (after === null) return [];
      const { version, changedBy } = after;
      return { root: objectId, objectId, version, makers: changedBy ? [changedBy] : [] };
    });
  }

  /** All steps of a round are read together. */
  private async follow(steps: readonly Step[]): Promise<void> {
    for (let open = steps; open.length > 0;) {
      await this.read(open.flatMap(({ makers }) => makers));
      open = open.flatMap((step) => this.take(step));
    }
  }

  private async read(digests: readonly string[]): Promise<void> {
    const missing = [...new Set(digests)].filter((digest) => !this.#requestedDigests.has(digest));
    const some = missing.slice(0, Math.max(0, MOST_TRANSACTIONS - this.#requestedDigests.size));
    for (const digest of some) this.#requestedDigests.add(digest);
    for (const [digest, found] of await this.ledger.readExecuted(some)) {
      this.#known.set(digest, found);
    }
  }

  /** Notes the transaction that made a version. Returns the steps before it. */
  private take(step: Step): readonly Step[] {
    const { root, objectId } = step;
    const maker = this.findMaker(step);
    if (maker === undefined) {
      this.#broken.add(root);
      return [];
    }
    const made = `${objectId}:${maker.digest}`;
    if (this.#followed.has(made)) return [];
    this.#followed.add(made);
    if (this.isTooOld(objectId, maker)) return [];
    const isPayer = maker.gasOwner === this.sponsor && maker.gasPayment[0]?.objectId === objectId;
    if (isPayer) append(this.#paidFor, root, maker);
    const merged = isPayer ? maker.gasPayment.slice(1) : [];
    return [
      ...this.stepBefore(maker, objectId, root),
      ...merged.flatMap((coin) => this.stepOfMerged(maker, coin.objectId, root)),
    ];
  }

  private stepOfMerged(
    maker: ExecutedTransaction,
    objectId: string,
    root: string,
  ): readonly Step[] {
    if (this.#changed.has(objectId)) {
      append(this.#merged, root, objectId);
      this.#consumed.add(objectId);
      return this.stepBefore(maker, objectId, objectId);
    }
    // A coin that the pool has in flight, or has dropped, is counted by its settlement or correction.
    const { lostSince, coins } = this.pool;
    return lostSince === null || coins.has(objectId) ? [] : this.stepBefore(maker, objectId, root);
  }

  private findMaker({ objectId, version, makers }: Step): ExecutedTransaction | undefined {
    return makers
      .flatMap((digest) => this.#known.get(digest) ?? [])
      .find(({ versionsAfter }) => versionsAfter.get(objectId) === version);
  }

  /** A coin without a known version has a record of its transactions from before Redis lost writes. */
  private isTooOld(objectId: string, { executedAt }: ExecutedTransaction): boolean {
    if (this.#changed.get(objectId)?.before) return false;
    const { lostSince } = this.pool;
    return lostSince === null || (executedAt !== null && executedAt < lostSince - CLOCKS_DIFFER_MS);
  }

  private stepBefore(maker: ExecutedTransaction, objectId: string, root: string): readonly Step[] {
    const version = maker.versionsBefore.get(objectId);
    const known = this.#changed.get(objectId)?.before?.version ?? -1;
    if (version === known) this.#explained.add(objectId);
    if (version === undefined || version <= known) return [];
    return [{ root, objectId, version, makers: maker.dependencies }];
  }

  /** A coin that has consumed them may have been corrected before the others, until that was interrupted. */
  private async stepsOfConsumed(): Promise<readonly Step[]> {
    const gone = this.unexplained;
    if (gone.length > 0) await this.read(this.pool.found);
    const makers = [...this.#known.values()];
    return gone.flatMap((objectId) =>
      makers.flatMap((maker) => {
        const wasThere = maker.versionsBefore.has(objectId);
        if (wasThere && !maker.versionsAfter.has(objectId)) this.#consumed.add(objectId);
        return this.stepBefore(maker, objectId, objectId);
      }),
    );
  }

  private async stepsOfMoved(): Promise<readonly Step[]> {
    const gone = this.unexplained;
    if (gone.length === 0) return [];
    const lastChanges = await this.ledger.findLastChanges(gone);
    await this.read([...lastChanges.values()]);
    return [...lastChanges].flatMap(([objectId, maker]) => {
      const version = this.#known.get(maker)?.versionsAfter.get(objectId);
      return version === undefined ? [] : { root: objectId, objectId, version, makers: [maker] };
    });
  }

  /** The coins that are gone, and by no transaction that was found. */
  private get unexplained(): readonly string[] {
    const gone = [...this.#changed.values()].filter(({ after }) => after === null);
    return gone.map(({ objectId }) => objectId).filter((id) => !this.#explained.has(id));
  }

  private resultOf(objectId: string): TracedCoin {
    const group = this.groupOf(objectId);
    const isWhole = group.every((one) => this.isExplained(one));
    const isNew = !this.#changed.get(objectId)!.before;
    // The coin that has consumed another one counts for it.
    const isCounted = isWhole || isNew || this.#consumed.has(objectId);
    const unexplained = isCounted ? 0n : group.reduce((sum, one) => sum + this.lostBy(one), 0n);
    return { paidFor: this.paidBy(objectId), isWhole, unexplained };
  }

  /** The coin, and the changed ones that were merged into it. */
  private groupOf(objectId: string): readonly string[] {
    const group = new Set([objectId]);
    for (const one of group) {
      for (const merged of this.#merged.get(one) ?? []) group.add(merged);
    }
    return [...group];
  }

  private isExplained(objectId: string): boolean {
    const isNew = !this.#changed.get(objectId)!.before;
    return !this.#broken.has(objectId) && (isNew || this.#explained.has(objectId));
  }

  private lostBy(objectId: string): bigint {
    const { before, after } = this.#changed.get(objectId)!;
    const lost = (before?.balance ?? 0n) - (after?.balance ?? 0n);
    return this.paidBy(objectId).reduce((sum, { effects }) => sum - netGas(effects), lost);
  }

  private paidBy(objectId: string): readonly ExecutedTransaction[] {
    return (this.#paidFor.get(objectId) ?? []).toReversed();
  }
}

function append<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}
