import { Inject, Injectable } from '@nestjs/common';
import {
  type BuildTxRequest,
  DEFAULT_BUILD_DURATION_SECS,
  ForecourtError,
  type ReservedGas,
} from '@forecourt/contracts';
import type { DecodedTransaction, Ledger } from '@forecourt/ledger';
import { checkSponsorship } from '@forecourt/policy/sponsorship';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { readSponsor } from '../reservations/read-sponsor.js';
import { ReleaseUnusedReservation } from '../reservations/release-unused-reservation.js';
import { ReserveGas } from '../reservations/reserve-gas.js';
import { DryRunTx } from './dry-run-tx.js';
import { PreviewSponsorship } from './preview-sponsorship.js';

/** Where a request to build comes from. */
export interface BuildContext {
  readonly requestId: string;
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** A transaction that its user can sign, and the coins that are reserved for it. */
export interface BuiltTx {
  readonly transaction: DecodedTransaction;
  readonly reserved: ReservedGas;
}

/** Completes a transaction with gas: dry-runs it, reserves coins for what it costs, and fills them in. */
@Injectable()
export class BuildTx {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly dryRun: DryRunTx,
    private readonly reserveGas: ReserveGas,
    private readonly preview: PreviewSponsorship,
    private readonly releaseUnused: ReleaseUnusedReservation,
  ) {}

  /** Throws TRANSACTION_WOULD_FAIL, SPENDING_LIMIT, and what `DryRunTx` and `ReserveGas` throw. */
  async run(caller: Caller, request: BuildTxRequest, context: BuildContext): Promise<BuiltTx> {
    const { header, requestId } = context;
    const durationSecs = request.reserve_duration_secs ?? DEFAULT_BUILD_DURATION_SECS;
    const options = { header, durationSecs };
    const { transaction, preview, simulated } = await this.dryRun.run(caller, request, options);
    if (preview.refusal !== null) throw preview.refusal;
    const { status } = simulated.effects;
    if (status.status !== 'success') {
      throw new ForecourtError(
        'TRANSACTION_WOULD_FAIL',
        status.error ?? 'the node gives no reason',
      );
    }
    const gasBudget = Number(transaction.gasBudget);
    const sponsor = readSponsor(request.sponsor_address);
    const asked = { requestId, gasBudget, durationSecs, sponsor };
    const reserved = await this.reserveGas.run(caller, asked);
    try {
      const built = await this.fillIn(transaction, reserved, gasBudget);
      await this.requireAllowed(caller, built, reserved, { header, durationSecs });
      return { transaction: built, reserved };
    } catch (error) {
      const { reservationId } = reserved;
      await this.releaseUnused.run({ caller: caller.name, reservationId }, requestId);
      throw error;
    }
  }

  private async fillIn(
    transaction: DecodedTransaction,
    { sponsor, coins }: ReservedGas,
    gasBudget: number,
  ): Promise<DecodedTransaction> {
    const { sender, expirationEpoch, gasPrice: price } = transaction;
    const gas = { owner: sponsor, payment: coins, price, budget: BigInt(gasBudget) };
    const kindBytes = this.ledger.kindBytesOf(transaction);
    const bytes = this.ledger.assembleTransaction({ kindBytes, sender, gas, expirationEpoch });
    const built = this.ledger.decodeTransaction(bytes);
    const { epoch } = await this.ledger.status();
    checkSponsorship(built, { sponsor, gasBudget, coins }, epoch);
    return built;
  }

  /** Asks the access rules again: they may look at the budget and the coins, which are known only now. */
  private async requireAllowed(
    caller: Caller,
    transaction: DecodedTransaction,
    { sponsor, reservationId, mayLeaveDust = true }: ReservedGas,
    { header, durationSecs }: Pick<BuildContext, 'header'> & { readonly durationSecs: number },
  ): Promise<void> {
    const { refusal } = await this.preview.run(caller, {
      transaction,
      sponsor,
      durationSecs,
      mayLeaveDust,
      reservationId,
      header,
    });
    if (refusal !== null) throw refusal;
  }
}
