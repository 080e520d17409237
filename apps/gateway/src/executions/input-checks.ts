import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type {
  DecodedTransaction,
  InspectedInputs,
  Ledger,
  ObjectReference,
  ReadRecentObjects,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { dryRunOrRefuse } from './dry-run-or-refuse.js';
import { RefusedExecutions } from './refused-executions.js';
import { UndecidedInputs } from './undecided-inputs.js';

/** How many different transactions for one reservation are checked at once; only one of them can be sponsored. */
const MAX_FOR_ONE_RESERVATION = 8;

/** Asks the ledger, before anything is claimed, whether validators would accept a transaction. */
@Injectable()
export class InputChecks {
  /** By digest: concurrent identical calls share one check. */
  readonly #running = new Map<string, Promise<readonly ObjectReference[]>>();
  readonly #forReservation = new Map<number, number>();

  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'inspectInputs' | 'dryRun'>,
    @Inject(RefusedExecutions)
    private readonly refused: Pick<RefusedExecutions, 'requireRoom' | 'count'>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'dryRun'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info' | 'warn'>,
    @Inject(UndecidedInputs) private readonly undecided: Pick<UndecidedInputs, 'decide'>,
    @Inject(RecentObjects) private readonly recentObjects: Pick<RecentObjects, 'read'>,
  ) {}

  /**
   * Returns the inputs that no other transaction may use until this one has ended.
   * Throws REFUSED_BY_LEDGER with the ledger's own text, INPUT_UNDECIDED, REFUSED_TOO_OFTEN, LEDGER_UNREACHABLE,
   * `LedgerUnreachable`.
   */
  check(
    caller: string,
    reservationId: number,
    transaction: DecodedTransaction,
  ): Promise<readonly ObjectReference[]> {
    const { digest } = transaction;
    const running = this.#running.get(digest);
    if (running) return running;
    const started = this.checkOnce(caller, reservationId, transaction).finally(() =>
      this.#running.delete(digest),
    );
    this.#running.set(digest, started);
    return started;
  }

  private async checkOnce(
    caller: string,
    reservationId: number,
    transaction: DecodedTransaction,
  ): Promise<readonly ObjectReference[]> {
    this.refused.requireRoom(caller);
    const running = this.#forReservation.get(reservationId) ?? 0;
    if (running >= MAX_FOR_ONE_RESERVATION) throw new ForecourtError('REFUSED_TOO_OFTEN');
    this.#forReservation.set(reservationId, running + 1);
    try {
      return await this.askLedger(caller, transaction);
    } finally {
      const left = this.#forReservation.get(reservationId)! - 1;
      if (left === 0) this.#forReservation.delete(reservationId);
      else this.#forReservation.set(reservationId, left);
    }
  }

  private async askLedger(
    caller: string,
    transaction: DecodedTransaction,
  ): Promise<readonly ObjectReference[]> {
    const { ledger, refused, undecided } = this;
    const look = () => ledger.inspectInputs(transaction, this.readRecent);
    const at = { caller, digest: transaction.digest };
    const inspected = await undecided.decide(at, look, (looked) => looked.undecided);
    if (inspected.refusal !== null) {
      await refused.count(caller);
      throw new ForecourtError('REFUSED_BY_LEDGER', inspected.refusal);
    }
    if (!this.needsDryRun(transaction, inspected)) return inspected.exclusive;
    await dryRunOrRefuse({ ledger, refused, undecided }, caller, transaction);
    return inspected.exclusive;
  }

  /** Without what the fleet has seen change, the node that serves reads decides alone. */
  private readonly readRecent: ReadRecentObjects = async (objectIds) => {
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
