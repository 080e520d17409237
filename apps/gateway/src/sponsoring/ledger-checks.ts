import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type {
  DecodedTransaction,
  DryRun,
  InspectedInputs,
  Ledger,
  ObjectReference,
  ReadRecentObjects,
  SimulatedTransaction,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { cacheRead } from '@forecourt/runtime/metrics';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { RefusalLimit, TOO_MANY_CHECKED } from './refusal-limit.js';
import type { SignedTransaction } from './transaction-reader.js';

/** Once the node that serves reads is so much further, an object that it does not show does not exist. */
const LONGEST_LAG_MS = 10_000;
/** Pauses between looks, for as long as a call waits. */
const LOOK_PAUSES_MS: readonly number[] = [200, 300, 500, 1_000, 1_000, 1_000];
/** Calls of one caller that wait at this gateway; further ones are answered at once. */
const MAX_WAITING = 100;
/** Time for which one read of the ledger's time serves every call that waits. */
const TIME_AGE_MS = 500;
/** Repeated calls that come later begin anew. */
const FIRST_LOOK_KEPT_MS = 120_000;
/** A gateway may miss the mark for so long: less than the call that sets it waits. */
const MARK_AGE_MS = 1_000;

/** Exists for as long as any first look does. */
const MARK_KEY = 'fc:first-look:any';
const keyOfFirstLook = (digest: string) => `fc:first-look:${digest}`;

/** The part of a look that the node does not show. */
export interface Undecided<T> {
  /** The ledger's message, should it stay so. */
  readonly message: string;
  /** So much is missing that it is probably made up: no call waits for it. */
  readonly areMany?: boolean;
  readonly lookAgain: () => Promise<T>;
}

export interface LookedAt {
  readonly caller: string;
  readonly digest: string;
  readonly pausesMs?: readonly number[];
}

/**
 * Waits until the node shows everything that a transaction uses. Each transaction with undecided inputs counts once against
 * its caller, as if it were refused, until its inputs show, and again with each repeated call that does not wait. That bounds
 * made-up objects, and a node that is behind costs no caller anything.
 */
@Injectable()
export class UndecidedInputs {
  readonly #waiting = new Map<string, number>();
  readonly #time = cacheRead(() => this.ledger.checkpointTime(), TIME_AGE_MS);
  /** Whether any first look is remembered: usually none is, and no transaction needs to ask for its own. */
  readonly #isAnyRemembered = cacheRead(
    () => this.redis.exists(MARK_KEY).catch(() => 0),
    MARK_AGE_MS,
  );

  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'checkpointTime'>,
    @Inject(REDIS) private readonly redis: Pick<RedisConnection, 'del' | 'exists' | 'get' | 'set'>,
    @Inject(RefusalLimit) private readonly refusals: Pick<RefusalLimit, 'count' | 'uncount'>,
  ) {}

  /**
   * Returns the first look that leaves nothing open. Throws INPUT_UNDECIDED when the wait ends before that; REFUSED_BY_LEDGER
   * when the node has advanced by `LONGEST_LAG_MS` since any call's first look at this transaction; `LedgerUnreachable`; and
   * the errors of `look`.
   */
  async decide<T>(
    at: LookedAt,
    look: () => Promise<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const [looked, isAnyRemembered] = await Promise.all([look(), this.#isAnyRemembered()]);
    const open = openIn(looked);
    if (open !== null) {
      return this.wait(at, await this.findFirstLook(at.digest), open, openIn);
    }
    if (isAnyRemembered) await this.forgetFirstLook(at);
    return looked;
  }

  private async wait<T>(
    at: LookedAt,
    known: number | null,
    first: Undecided<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const { caller, pausesMs = LOOK_PAUSES_MS } = at;
    // Counted in the same turn in which it is read: other calls of the caller come and go while this one awaits.
    const mayWait = this.enter(caller) && !first.areMany;
    try {
      const since = known ?? (await this.rememberFirstLook(at));
      const isOver = async () => (await this.#time()) - since >= LONGEST_LAG_MS;
      const lastLook = known !== null && (await isOver()) ? [0] : [];
      let open = first;
      for (const pause of [...lastLook, ...(mayWait ? pausesMs : [])]) {
        await delay(pause);
        // The time first: an object that a node does not show after it, it did not know by then.
        const isLast = await isOver();
        const looked = await open.lookAgain();
        const still = openIn(looked);
        if (still === null) {
          await this.forgetFirstLook(at);
          return looked;
        }
        open = still;
        if (isLast) {
          await this.refusals.count(caller);
          throw new ForecourtError('REFUSED_BY_LEDGER', open.message);
        }
      }
      // Only the wait limits how often the same call can make the node be read.
      if (!mayWait && known !== null) await this.refusals.count(caller);
      throw new ForecourtError('INPUT_UNDECIDED', open.message);
    } finally {
      this.leave(caller);
    }
  }

  /**
   * The ledger's time of the fleet's first look at this transaction, because a repeated call may reach another gateway. Null:
   * there was none, its inputs have been decided, or Redis does not answer. Then no transaction is refused for its age.
   */
  private async findFirstLook(digest: string): Promise<number | null> {
    const time = await this.redis.get(keyOfFirstLook(digest)).catch(() => null);
    return time === null ? null : Number(time);
  }

  /** Returns the time of the first look. The call that remembers it counts against its caller. */
  private async rememberFirstLook({ caller, digest }: LookedAt): Promise<number> {
    const time = await this.ledger.checkpointTime();
    await this.redis.set(MARK_KEY, '1', 'PX', FIRST_LOOK_KEPT_MS).catch(() => null);
    const set = await this.redis
      .set(keyOfFirstLook(digest), String(time), 'PX', FIRST_LOOK_KEPT_MS, 'NX')
      .catch(() => 'failed');
    if (set !== 'OK') return (await this.findFirstLook(digest)) ?? time;
    await this.refusals.count(caller);
    return time;
  }

  /** Only one of several calls for the transaction reverts the one count. */
  private async forgetFirstLook({ caller, digest }: LookedAt): Promise<void> {
    const deleted = await this.redis.del(keyOfFirstLook(digest)).catch(() => 0);
    if (deleted === 1) await this.refusals.uncount(caller);
  }

  /** Returns whether the caller has room for another call that waits. */
  private enter(caller: string): boolean {
    const waiting = this.#waiting.get(caller) ?? 0;
    this.#waiting.set(caller, waiting + 1);
    return waiting < MAX_WAITING;
  }

  private leave(caller: string): void {
    const left = (this.#waiting.get(caller) ?? 1) - 1;
    if (left > 0) this.#waiting.set(caller, left);
    else this.#waiting.delete(caller);
  }
}

/** Different transactions for one reservation that are checked at once; only one of them can be sponsored. */
const MAX_FOR_ONE_RESERVATION = 8;

/** Pauses between dry runs. Fewer than between looks at objects: each dry run costs a node as much as an execution. */
const DRY_RUN_PAUSES_MS = [300, 700, 1_000];

/** Asks the ledger, before anything is claimed, whether validators would accept a transaction. */
@Injectable()
export class LedgerChecks {
  /** Concurrent identical calls share one check. */
  readonly #running = new Map<string, Promise<readonly ObjectReference[]>>();
  readonly #forReservation = new Map<number, number>();
  /** Dry runs of transactions that are being decided. */
  readonly #simulated = new WeakMap<DecodedTransaction, SimulatedTransaction>();

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'dryRun'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: RefusalLimit,
    private readonly undecided: UndecidedInputs,
    private readonly recentObjects: RecentObjects,
  ) {}

  /**
   * Returns the inputs that no other transaction may use until this one has ended. Throws REFUSED_BY_LEDGER with the ledger's
   * message, INPUT_UNDECIDED, REFUSED_TOO_OFTEN, LEDGER_UNREACHABLE, `LedgerUnreachable`.
   */
  check(
    caller: string,
    reservationId: number,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    const key = keyOfCheck(transaction);
    const running = this.#running.get(key);
    if (running) return running;
    const started = this.checkOnce(caller, reservationId, transaction).finally(() =>
      this.#running.delete(key),
    );
    this.#running.set(key, started);
    return started;
  }

  /**
   * Dry-runs a transaction. Throws REFUSED_BY_LEDGER with the ledger's message if validators would not accept it and
   * LEDGER_UNREACHABLE if the node cannot tell (both count against the caller), INPUT_UNDECIDED while the node does not show
   * the sponsor's coins, which the caller cannot influence, and the errors of `UndecidedInputs` while it does not show the rest.
   */
  async dryRun(caller: string, transaction: DecodedTransaction): Promise<SimulatedTransaction> {
    const run = () => this.dryRunUntilGasIsShown(transaction);
    const at = { caller, digest: transaction.digest, pausesMs: DRY_RUN_PAUSES_MS };
    const outcome: DryRun = await this.undecided.decide(at, run, (tried: DryRun) =>
      tried.kind === 'missing' ? { message: tried.message, lookAgain: run } : null,
    );
    if (outcome.kind === 'accepted') {
      this.#simulated.set(transaction, outcome.simulated);
      return outcome.simulated;
    }
    if (outcome.kind === 'behind') throw new ForecourtError('INPUT_UNDECIDED', outcome.message);
    await this.refusals.count(caller);
    if (outcome.kind === 'refused') throw new ForecourtError('REFUSED_BY_LEDGER', outcome.message);
    const cause = new Error(`Dry run undecided: ${outcome.message}`);
    throw new ForecourtError('LEDGER_UNREACHABLE', '', { cause });
  }

  /**
   * The dry run that the checks have made of a transaction, or a new one; null: validators would not accept it, or the node
   * cannot tell. Counts nothing. Throws `LedgerUnreachable`.
   */
  async forecast(transaction: DecodedTransaction): Promise<SimulatedTransaction | null> {
    const known = this.#simulated.get(transaction);
    if (known) return known;
    const tried = await this.dryRunUntilGasIsShown(transaction);
    return tried.kind === 'accepted' ? tried.simulated : null;
  }

  private async checkOnce(
    caller: string,
    reservationId: number,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    this.refusals.requireRoom(caller);
    const running = this.#forReservation.get(reservationId) ?? 0;
    if (running >= MAX_FOR_ONE_RESERVATION) {
      throw new ForecourtError('REFUSED_TOO_OFTEN', TOO_MANY_CHECKED);
    }
    this.#forReservation.set(reservationId, running + 1);
    try {
      return await this.inspect(caller, transaction);
    } finally {
      const left = this.#forReservation.get(reservationId)! - 1;
      if (left === 0) this.#forReservation.delete(reservationId);
      else this.#forReservation.set(reservationId, left);
    }
  }

  private async inspect(
    caller: string,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    const named = withAuthenticator(transaction);
    const look = () => this.ledger.inspectInputs(named, this.#readRecent);
    const at = { caller, digest: transaction.digest };
    const inspected = await this.undecided.decide(at, look, (looked) => looked.undecided);
    if (inspected.refusal !== null) {
      // A caller that reads from the same node cannot know better.
      if (!inspected.isBehind) await this.refusals.count(caller);
      throw new ForecourtError('REFUSED_BY_LEDGER', inspected.refusal);
    }
    const { account } = transaction;
    if (account || this.needsDryRun(transaction, inspected)) await this.dryRun(caller, transaction);
    // Without proof that the account authorises the transaction, it must not block the account's objects.
    return account ? [] : inspected.exclusive;
  }

  /** If Redis does not answer, only the node that serves reads decides. */
  readonly #readRecent: ReadRecentObjects = async (objectIds) => {
    try {
      return await this.recentObjects.read(objectIds);
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'recently changed objects not read');
      return new Map();
    }
  };

  private needsDryRun({ digest }: DecodedTransaction, { doubts }: InspectedInputs): boolean {
    const { dryRun } = this.config;
    if (dryRun === 'always') return true;
    if (doubts.length === 0) return false;
    if (dryRun === 'doubtful') return true;
    this.logger.info({ digest, doubts }, 'claimed without a dry run: DRY_RUN is never');
    return false;
  }

  /** The pool hands coins out as soon as they are back, before a node that is behind shows them. */
  private async dryRunUntilGasIsShown(transaction: DecodedTransaction): Promise<DryRun> {
    for (const pause of DRY_RUN_PAUSES_MS) {
      const tried = await this.ledger.dryRun(transaction);
      if (tried.kind !== 'behind') return tried;
      await delay(pause);
    }
    return this.ledger.dryRun(transaction);
  }
}

/** A digest leaves signatures out, and an authenticator decides which objects are looked up and which inputs are exclusive. */
function keyOfCheck({ digest, account }: SignedTransaction): string {
  return account ? `${digest} ${JSON.stringify(account)}` : digest;
}

/** The transaction as if it named the objects of its authenticator too: nodes refuse it without them. */
function withAuthenticator(transaction: SignedTransaction): DecodedTransaction {
  const { account, ownedInputs, receivedInputs, sharedInputs } = transaction;
  if (!account) return transaction;
  const inputs = [...ownedInputs, ...receivedInputs, ...sharedInputs];
  const ids = new Set(inputs.map(({ objectId }) => objectId));
  const isNew = ({ objectId }: { readonly objectId: string }) =>
    !ids.has(objectId) && ids.add(objectId);
  return {
    ...transaction,
    ownedInputs: [...ownedInputs, ...account.immutable.filter(isNew)],
    sharedInputs: [...sharedInputs, ...account.shared.filter(isNew)],
  };
}
