import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type {
  DecodedTransaction,
  InspectedInputs,
  Ledger,
  ObjectReference,
  ReadRecentObjects,
} from '@forecourt/ledger';
import { FairShares, gatewayLimits, rememberAnswer } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { RefusalLimit, TOO_MANY_CHECKED } from './refusal-limit.js';
import { Simulations } from './simulations.js';
import type { SignedTransaction } from './transaction-reader.js';
import { UndecidedInputs } from './undecided-inputs.js';

/** Different transactions for one reservation that are checked at once; only one of them can be sponsored. */
const MAX_FOR_ONE_RESERVATION = gatewayLimits.checksOfReservation.default;

/** Asks the ledger, before anything is claimed, whether validators would accept a transaction. */
@Injectable()
export class LedgerChecks {
  /** Concurrent identical calls share one check. */
  readonly #check = rememberAnswer(
    (_key: string, caller: string, reservationId: number, transaction: SignedTransaction) =>
      this.checkOnce(caller, reservationId, transaction),
  );
  readonly #ofReservations = FairShares.each(MAX_FOR_ONE_RESERVATION);

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'dryRun'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly refusals: RefusalLimit,
    private readonly undecided: UndecidedInputs,
    private readonly recentObjects: RecentObjects,
    private readonly simulations: Simulations,
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
    const at = { caller, digest: transaction.digest };
    const inspected = await this.undecided.decide(at, look, (looked) => looked.undecided);
    if (inspected.refusal !== null) {
      // A caller that reads from the same node cannot know better.
      if (!inspected.isBehind) await this.refusals.count(caller);
      throw new ForecourtError('REFUSED_BY_LEDGER', inspected.refusal);
    }
    const { account } = transaction;
    if (account || this.needsDryRun(transaction, inspected))
      await this.simulations.dryRun(caller, transaction);
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
