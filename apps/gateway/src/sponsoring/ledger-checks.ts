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
import { FairShares, gatewayLimits, rememberAnswer } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { RefusalLimit, TOO_MANY_CHECKED } from './refusal-limit.js';
import type { SignedTransaction } from './transaction-reader.js';
import { UndecidedInputs } from './undecided-inputs.js';

/** Different transactions for one reservation that are checked at once; only one of them can be sponsored. */
const MAX_FOR_ONE_RESERVATION = gatewayLimits.checksOfReservation.default;

/**
 * Pauses between dry runs. Fewer than between looks at objects: each dry run costs a node as much as an
 * execution.
 */
const DRY_RUN_PAUSES_MS = [300, 700, 1_000];

/** Asks the ledger whether validators would accept a transaction, and what it would change. */
@Injectable()
export class LedgerChecks {
  /** Concurrent identical calls share one check. */
  readonly #check = rememberAnswer(
    (_key: string, caller: string, reservationId: number, transaction: SignedTransaction) =>
      this.checkOnce(caller, reservationId, transaction),
  );
  /** Dry runs of transactions that are being decided. */
  readonly #simulated = new WeakMap<DecodedTransaction, SimulatedTransaction>();
  readonly #ofReservations = FairShares.each(MAX_FOR_ONE_RESERVATION);

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: RefusalLimit,
    private readonly undecided: UndecidedInputs,
    private readonly recentObjects: RecentObjects,
  ) {}

  /**
   * Returns the inputs that no other transaction may use until this one has ended. Throws REFUSED_BY_LEDGER
   * with the ledger's message, INPUT_UNDECIDED, REFUSED_TOO_OFTEN, LEDGER_UNREACHABLE, `LedgerUnreachable`.
   */
  check(
    caller: string,
    reservationId: number,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    return this.#check(keyOfCheck(transaction), caller, reservationId, transaction);
  }

  private async checkOnce(
    caller: string,
    reservationId: number,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    this.refusals.requireRoom(caller);
    const hold = this.#ofReservations.take([String(reservationId)]);
    if (hold === null) throw new ForecourtError('REFUSED_TOO_OFTEN', TOO_MANY_CHECKED);
    try {
      return await this.inspect(caller, transaction);
    } finally {
      hold.release();
    }
  }

  private async inspect(
    caller: string,
    transaction: SignedTransaction,
  ): Promise<readonly ObjectReference[]> {
    const named = withAuthenticator(transaction);
    const look = () => this.ledger.inspectInputs(named, this.#readRecent);
    const call = { caller, digest: transaction.digest };
    const inspected = await this.undecided.decide(call, look, (looked) => looked.undecided);
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

  /**
   * Dry-runs a transaction. Throws REFUSED_BY_LEDGER with the ledger's message if validators would not accept
   * it and LEDGER_UNREACHABLE if the node cannot tell (both count against the caller), INPUT_UNDECIDED while
   * the node does not show the sponsor's coins, which the caller cannot influence, and the errors of
   * `UndecidedInputs` while it does not show the rest.
   */
  async dryRun(caller: string, transaction: DecodedTransaction): Promise<SimulatedTransaction> {
    const run = () => this.dryRunUntilGasIsShown(transaction);
    const call = { caller, digest: transaction.digest, pausesMs: DRY_RUN_PAUSES_MS };
    const outcome: DryRun = await this.undecided.decide(call, run, (tried: DryRun) =>
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
   * The dry run that the checks have made of a transaction, or a new one; null: validators would not accept
   * it, or the node cannot tell. Counts nothing. Throws `LedgerUnreachable`.
   */
  async forecast(transaction: DecodedTransaction): Promise<SimulatedTransaction | null> {
    const known = this.#simulated.get(transaction);
    if (known) return known;
    const tried = await this.dryRunUntilGasIsShown(transaction);
    return tried.kind === 'accepted' ? tried.simulated : null;
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
}

/**
 * A digest leaves signatures out, and an authenticator decides which objects are looked up and which inputs
 * are exclusive.
 */
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
