import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type {
  DecodedTransaction,
  InspectedInputs,
  Ledger,
  ObjectReference,
} from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { dryRunOrRefuse } from './dry-run-or-refuse.js';
import { RefusedExecutions } from './refused-executions.js';

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
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /**
   * Returns the inputs that no other transaction may use until this one has ended.
   * Throws REFUSED_BY_LEDGER with the ledger's own text, REFUSED_TOO_OFTEN, LEDGER_UNREACHABLE, `LedgerUnreachable`.
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
    const { ledger, refused } = this;
    const inspected = await ledger.inspectInputs(transaction);
    if (inspected.refusal !== null) {
      await refused.count(caller);
      throw new ForecourtError('REFUSED_BY_LEDGER', inspected.refusal);
    }
    if (!this.needsDryRun(transaction, inspected)) return inspected.exclusive;
    await dryRunOrRefuse(ledger, refused, caller, transaction);
    return inspected.exclusive;
  }

  private needsDryRun({ digest }: DecodedTransaction, { doubts }: InspectedInputs): boolean {
    const { dryRun } = this.config;
    if (dryRun === 'always') return true;
    if (doubts.length === 0) return false;
    if (dryRun === 'doubtful') return true;
    this.logger.info({ digest, doubts }, 'claimed without a dry run: DRY_RUN is never');
    return false;
  }
}
