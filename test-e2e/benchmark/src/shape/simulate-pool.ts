import {
  adoptCoins,
  beginExecutions,
  claimReservations,
  type CoinStoreRedis,
  paymentImpact,
  placementRules,
  readPoolFigures,
  registerSponsor,
  releaseReservation,
  reserveGas,
  settleExecutions,
  snapshotPool,
  type StoredCoins,
} from '@forecourt/coin-store';
import {
  COIN_STORAGE_COST,
  createLocalSigner,
  settleFromEffects,
  sponsorCost,
} from '@forecourt/ledger';
import { coinPoolVariables } from '@forecourt/coin-pool/config';
import { countServing, type DustConsolidator, type PoolFiller } from '@forecourt/coin-pool/upkeep';
import { only } from '@forecourt/testing/redis';
import { type Demand, demandsOf, GAS_PRICE, TARGET_BALANCE } from './demands.js';
import { averageShape, type PoolShape } from './pool-shape.js';
import { SimulatedLedger } from './simulated-ledger.js';
import { createUpkeep } from './simulated-upkeep.js';
import { type SimulatedPool, type Simulation, sufficientFunds } from './simulation.js';

const BURST = 32;
/** Transactions between two rounds of upkeep, which runs every second at this rate. */
const UPKEEP_EVERY = 10 * BURST;
const RETENTION_MS = 1_000;
const CALLER = 'shape';
const WAITER = { gateway: 'shape', requestType: 'waitForEffectsCert' } as const;

/** Runs a pool on a simulated ledger, with the coin store's scripts and real upkeep decisions. */
export async function simulatePool(
  redis: CoinStoreRedis,
  simulation: Simulation,
): Promise<SimulatedPool> {
  const run = new PoolRun(redis, simulation);
  await run.open();
  while (run.done < simulation.transactions) await run.serve();
  await run.restore();
  return run.result();
}

class PoolRun {
  done = 0;
  readonly #sponsor: string;
  readonly #ledger: SimulatedLedger;
  readonly #filler: PoolFiller;
  readonly #consolidator: DustConsolidator;
  readonly #rules = placementRules(TARGET_BALANCE);
  readonly #nextDemand: () => Demand;
  readonly #running = new AbortController().signal;
  readonly #early: PoolShape[] = [];
  readonly #late: PoolShape[] = [];
  #smashedAtMark = 0;
  readonly #counts = {
    executed: 0,
    released: 0,
    unserved: 0,
    paidWithSeveral: 0,
    smashed: 0,
  };
  #userGas = 0n;
  #counted = 0n;
  #wealthAtStart = 0n;
  #madeAtStart = { split: 0, consolidation: 0, coins: 0 };

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly simulation: Simulation,
  ) {
    const { targetCoins, minCoins, seed } = simulation;
    const signer = createLocalSigner(
      Buffer.concat([Buffer.of(0), Buffer.alloc(32, seed)]).toString('base64'),
    );
    this.#sponsor = signer.address;
    this.#nextDemand = simulation.nextDemand ?? demandsOf(simulation);
    const funds = simulation.funds ?? sufficientFunds(simulation);
    this.#ledger = new SimulatedLedger(this.#sponsor, GAS_PRICE, funds);
    const upkeep = createUpkeep(redis, this.#ledger, signer, {
      submitWithinMs: 60_000,
      targetBalance: TARGET_BALANCE,
      targetCoins,
      minCoins,
      minFreeShare: coinPoolVariables.minFreeShare.absent!,
      splitConcurrency: 8,
      consolidateAt: simulation.consolidateAt ?? 50,
    });
    this.#filler = upkeep.filler;
    this.#consolidator = upkeep.consolidator;
  }

  async open(): Promise<void> {
    await registerSponsor(this.redis, this.#sponsor);
    for await (const page of this.#ledger.listGasCoins()) {
      await adoptCoins(this.redis, this.#sponsor, page, this.#rules);
    }
    await this.#filler.fill(this.#sponsor, this.simulation.targetCoins, this.#running);
    this.#madeAtStart = { ...this.#ledger.made };
    this.#wealthAtStart = this.wealth();
  }

  /** Restores the pool's initial shape. */
  async restore(): Promise<void> {
    await this.#consolidator.consolidate(this.#sponsor);
    await this.#filler.fill(this.#sponsor, this.simulation.targetCoins, this.#running);
  }

  /** One burst of simultaneous demands, and upkeep when it is due. */
  async serve(): Promise<void> {
    const demands = Array.from({ length: BURST }, this.#nextDemand);
    const reserved = await reserveGas(
      this.redis,
      this.#sponsor,
      demands.map(({ gasBudget }) => ({ caller: CALLER, gasBudget, durationMs: 60_000 })),
    );
    await Promise.all(
      demands.map(async (demand, index) => {
        const reservation = reserved[index];
        if (!reservation) this.#counts.unserved += 1;
        else if (demand.isReleased) await this.release(reservation);
        else await this.execute(reservation, demand, `T${this.done + index}`);
      }),
    );
    this.done += BURST;
    if (this.done <= this.simulation.mark) this.#smashedAtMark = this.#counts.smashed;
    if (this.done % (this.simulation.upkeepEvery ?? UPKEEP_EVERY) === 0) await this.lookAfter();
  }

  async result(): Promise<SimulatedPool> {
    const { made } = this.#ledger;
    const { totals, coins, faults } = await snapshotPool(this.redis, this.#sponsor);
    const upkeep = totals.gasCharged - this.#userGas;
    const pooled = new Map(coins.map((coin) => [coin.objectId, coin]));
    const onLedger = this.#ledger.coins();
    const wrong = onLedger.filter(
      ({ objectId, version, balance }) =>
        pooled.get(objectId)?.version !== version || pooled.get(objectId)?.balance !== balance,
    );
    return {
      before: averageShape(this.#early),
      after: averageShape(this.#late),
      ...this.#counts,
      smashedAtMark: this.#smashedAtMark,
      splits: made.split - this.#madeAtStart.split,
      consolidations: made.consolidation - this.#madeAtStart.consolidation,
      coinsMade: made.coins - this.#madeAtStart.coins,
      counted: this.#counted,
      lost: this.#wealthAtStart - this.wealth(),
      upkeepShare: Number(upkeep) / Number(totals.gasCharged),
      differences: [
        ...faults,
        ...wrong.map(({ objectId }) => `coin ${objectId} is another on the ledger`),
        ...(onLedger.length === coins.length ? [] : ['pool and ledger differ in their coins']),
      ],
    };
  }

  /** The coins and the storage deposits that return with them. */
  private wealth(): bigint {
    return this.#ledger.coins().reduce((sum, { balance }) => sum + balance + COIN_STORAGE_COST, 0n);
  }

  private async release({ reservationId }: StoredCoins): Promise<void> {
    const request = { reservationId, caller: CALLER, retentionMs: RETENTION_MS };
    await releaseReservation(this.redis, this.#sponsor, request);
    this.#counts.released += 1;
  }

  private async execute(
    { reservationId }: StoredCoins,
    demand: Demand,
    digest: string,
  ): Promise<void> {
    const { redis } = this;
    const sponsor = this.#sponsor;
    const counts = this.#counts;
    const claim = await only(
      claimReservations(redis, sponsor, [
        {
          reservationId,
          caller: CALLER,
          digest,
          waiter: WAITER,
          leaseMs: 60_000,
          txBytes: '',
          userSig: '',
          usage: [],
          rule: '',
          inputs: [],
        },
      ]),
    );
    if (claim.result !== 'claimed') throw new Error(`the claim answered ${claim.result}`);
    const job = { reservationId, digest, fence: claim.fence, executor: CALLER };
    const begun = await only(beginExecutions(redis, sponsor, job.executor, [job]));
    if (!begun) throw new Error('the claim has moved on');
    const effects = this.#ledger.pay(begun.coins, demand);
    const { gasCoin, gasCharged } = settleFromEffects(effects, begun.coins, sponsor);
    const rules = this.#rules;
    const cost = sponsorCost(effects, paymentImpact(begun.coins, gasCoin, GAS_PRICE, rules));
    await only(
      settleExecutions(redis, sponsor, [
        {
          reservationId,
          digest,
          outcome: 'executed',
          returned: [gasCoin!],
          gasCharged,
          cost,
          rules,
          retentionMs: RETENTION_MS,
        },
      ]),
    );
    this.#counted += cost;
    counts.executed += 1;
    counts.smashed += begun.coins.length - 1;
    if (begun.coins.length > 1) counts.paidWithSeveral += 1;
    this.#userGas += gasCharged;
  }

  /** One round of a leading coin-pool's upkeep, and a sample of the shape. */
  private async lookAfter(): Promise<void> {
    const { transactions, minCoins, onProgress } = this.simulation;
    await this.#filler.fill(this.#sponsor, minCoins, this.#running);
    await this.#consolidator.consolidate(this.#sponsor);
    onProgress?.(this.done);
    const tenth = Math.floor((10 * this.done) / transactions);
    if (tenth !== 1 && tenth < 9) return;
    const { sizes, totals } = await readPoolFigures(this.redis, this.#sponsor);
    const shape: PoolShape = {
      serving: countServing(totals),
      treasury: Number(totals.coins.treasury),
      sizes: new Map(sizes.map(({ atLeast, coins }) => [atLeast, coins])),
    };
    (tenth === 1 ? this.#early : this.#late).push(shape);
  }
}
