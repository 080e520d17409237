import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ClientProxy, ClientProxyFactory, Transport } from '@nestjs/microservices';
import {
  type ClaimedReservation,
  type ClaimReservationMessage,
  coinPoolPatterns,
  type ErrorMessage,
  errorTable,
  type FindReservationMessage,
  type FindReservationReply,
  ForecourtError,
  type ReleaseReservationMessage,
  type ReservedGas,
  type ReserveGasMessage,
} from '@forecourt/contracts';
import { inSpan } from '@forecourt/tracing';
import { firstValueFrom, timeout } from 'rxjs';
import { within } from '../within.js';

export interface CoinPoolClientOptions {
  readonly endpoints: readonly { readonly host: string; readonly port: number }[];
  readonly timeoutMs: number;
}

/**
 * Talks to the coin-pool's replicas in turn over Nest's TCP transport. A replica that cannot be connected to is passed
 * over. A message whose delivery is uncertain goes to the next one only if doing it twice is doing it once.
 */
@Injectable()
export class CoinPoolClient implements OnApplicationShutdown {
  private readonly replicas: readonly ClientProxy[];
  private next = 0;

  constructor(private readonly options: CoinPoolClientOptions) {
    this.replicas = options.endpoints.map(({ host, port }) =>
      ClientProxyFactory.create({ transport: Transport.TCP, options: { host, port } }),
    );
  }

  /** Raises NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, STORE_UNREACHABLE. */
  reserveGas(message: ReserveGasMessage): Promise<ReservedGas> {
    return this.send(coinPoolPatterns.reserveGas, message, { repeatable: false });
  }

  /** Raises STORE_UNREACHABLE. */
  findReservation(message: FindReservationMessage): Promise<FindReservationReply> {
    return this.send(coinPoolPatterns.findReservation, message, { repeatable: true });
  }

  /** Raises RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, STORE_UNREACHABLE. */
  claimReservation(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    return this.send(coinPoolPatterns.claimReservation, message, { repeatable: true });
  }

  /** Raises RESERVATION_UNKNOWN, STORE_UNREACHABLE. */
  async releaseReservation(message: ReleaseReservationMessage): Promise<void> {
    await this.send(coinPoolPatterns.releaseReservation, message, { repeatable: false });
  }

  /** Raises NO_COINS, LEDGER_UNREACHABLE, STORE_UNREACHABLE. */
  async checkPool(): Promise<void> {
    await this.send(coinPoolPatterns.checkPool, {}, { repeatable: true });
  }

  onApplicationShutdown(): void {
    for (const replica of this.replicas) void replica.close();
  }

  private send<Reply>(
    pattern: string,
    message: object,
    delivery: { repeatable: boolean },
  ): Promise<Reply> {
    const ask = () => this.askInTurn<Reply>(pattern, message, delivery);
    return inSpan(`coin-pool ${pattern}`, {}, ask, 'CLIENT');
  }

  private async askInTurn<Reply>(
    pattern: string,
    message: object,
    { repeatable }: { repeatable: boolean },
  ): Promise<Reply> {
    let cause: unknown;
    for (let tried = 0; tried < this.replicas.length; tried++) {
      const replica = this.replicas[this.next++ % this.replicas.length]!;
      try {
        await within(replica.connect(), this.options.timeoutMs, 'connecting to a coin-pool');
      } catch (error) {
        cause = error;
        continue;
      }
      try {
        const reply = replica.send<Reply>(pattern, message);
        return await firstValueFrom(reply.pipe(timeout(this.options.timeoutMs)));
      } catch (error) {
        if (isErrorMessage(error)) {
          const { code, detail, retryAfterSecs } = error;
          throw new ForecourtError(code, detail, { retryAfterSecs });
        }
        cause = error;
        if (!repeatable) break;
      }
    }
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }
}

function isErrorMessage(error: unknown): error is ErrorMessage {
  return (
    typeof error === 'object' &&
    error !== null &&
    Object.hasOwn(errorTable, String((error as { code?: unknown }).code))
  );
}
