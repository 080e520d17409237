import { type BuildRequest, type BuiltTransaction, buildTx } from './build-tx.js';
import type { CallOptions } from './call-gas-station.js';
import { type DryRun, type DryRunRequest, dryRunTx } from './dry-run-tx.js';
import { type ExecutedTransaction, executeTx } from './execute-tx.js';
import type { ExecuteRequest } from './execute-request.js';
import {
  type GasStationConnection,
  type GasStationOptions,
  readConnection,
} from './gas-station-connection.js';
import type { Reservation, Sponsorship, UsageReport } from './gateway-results.js';
import { type GasStationStatus, readStatus } from './read-status.js';
import { readSponsorship, readTransaction, type TransactionOptions } from './read-sponsorship.js';
import { readUsage, type UsageRequest } from './read-usage.js';
import { releaseGas } from './release-gas.js';
import { reserveGas, type ReserveRequest } from './reserve-gas.js';
import { type SponsorRequest, sponsorTx } from './sponsor-tx.js';

/**
 * A gas station that pays the gas of other people's transactions.
 *
 * Each call is repeated while the gas station is unavailable, not before the time that it asks for, until the
 * time limit; after a lost connection only if that is harmless. Every method throws `GasStationError`, the
 * reason of a signal that aborts, and `TypeError` for arguments that cannot be sent.
 */
export class GasStation {
  readonly #connection: GasStationConnection;

  /** Throws `TypeError` for an address, a token or a time limit that cannot be used. */
  constructor(options: GasStationOptions) {
    this.#connection = readConnection(options);
  }

  /** Reserves coins, completes the transaction, gets its sender's signature and executes it. */
  sponsor(request: SponsorRequest): Promise<ExecutedTransaction> {
    return sponsorTx(this.#connection, request);
  }

  /** Reserves gas coins. */
  reserve(request: ReserveRequest, options?: CallOptions): Promise<Reservation> {
    return reserveGas(this.#connection, request, options);
  }

  /**
   * Asks the gas station to reserve coins and to complete a transaction, which then only lacks the sender's
   * signature.
   */
  build(request: BuildRequest, options?: CallOptions): Promise<BuiltTransaction> {
    return buildTx(this.#connection, request, options);
  }

  /** Returns whether a transaction would be sponsored, its effects and its cost. */
  dryRun(request: DryRunRequest, options?: CallOptions): Promise<DryRun> {
    return dryRunTx(this.#connection, request, options);
  }

  /** Executes a signed transaction once, however often it is called. */
  execute(request: ExecuteRequest, options?: CallOptions): Promise<ExecutedTransaction> {
    return executeTx(this.#connection, request, options);
  }

  /** Releases reserved coins. Resolves with false if the reservation was no longer open. */
  release(reservationId: number, options?: CallOptions): Promise<boolean> {
    return releaseGas(this.#connection, reservationId, options);
  }

  /**
   * The record of a reservation, in any state; null: the token has none with this id. Needs a gas station
   * that keeps a history.
   */
  sponsorship(reservationId: number, options?: CallOptions): Promise<Sponsorship | null> {
    return readSponsorship(this.#connection, reservationId, options);
  }

  /**
   * The record of a transaction's reservation; null: none of the token was bound to this transaction. With
   * `waitMs`, resolves as soon as the transaction has ended, and with its current state after that time.
   */
  transaction(digest: string, options?: TransactionOptions): Promise<Sponsorship | null> {
    return readTransaction(this.#connection, digest, options);
  }

  /** Numbers of transactions and their gas, by default of the current month in UTC. */
  usage(request?: UsageRequest, options?: CallOptions): Promise<UsageReport> {
    return readUsage(this.#connection, request, options);
  }

  /** Resolves if the gas station can be reached. */
  status(options?: CallOptions): Promise<GasStationStatus> {
    return readStatus(this.#connection, options);
  }
}
