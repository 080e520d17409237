import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  ForecourtError,
  type Pause,
  PAUSES_KEY,
  readJsonDto,
  StoredPause,
} from '@forecourt/contracts';
import { onTicks } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { orStoreUnreachable } from '../redis-outage.js';
import { EVERYTHING, scopeOfForecasts, scopeOfSponsor, scopeOfToken } from './pause-scopes.js';

/** A pause is in force at every gateway within a second. */
const READ_EVERY_MS = 500;
const RETRY_AFTER_SECS = 30;

function refusalBy({ reason }: Pause): ForecourtError {
  return new ForecourtError('PAUSED', reason, { retryAfterSecs: RETRY_AFTER_SECS });
}

/**
 * The pauses of operators, and those of forecasts that were missed. Redis has them, so that they apply to the
 * fleet and outlive every process.
 */
@Injectable()
export class Pauses implements OnApplicationBootstrap, OnApplicationShutdown {
  /** By scope; null: not read yet. */
  #paused: ReadonlyMap<string, Pause> | null = null;
  #isReadable = true;
  #stop = () => {};

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.#stop = onTicks(READ_EVERY_MS, () => void this.refresh());
  }

  onApplicationShutdown(): void {
    this.#stop();
  }

  /**
   * Throws PAUSED with the operator's reason if new work is paused for all callers, the token or the sponsor
   * (if there is one yet), and STORE_UNREACHABLE until the pauses have been read once.
   */
  requireRunning({ token, sponsor }: { token: string; sponsor?: string }): void {
    if (this.#paused === null) throw new ForecourtError('STORE_UNREACHABLE');
    if (this.#paused.size === 0) return;
    const pause =
      this.#paused.get(EVERYTHING) ??
      this.#paused.get(scopeOfToken(token)) ??
      (sponsor === undefined ? undefined : this.#paused.get(scopeOfSponsor(sponsor)));
    if (pause) throw refusalBy(pause);
  }

  /** Throws PAUSED with the reason while forecasts of the token's transactions are not trusted. */
  requireForecasts(token: string): void {
    const pause = this.#paused?.get(scopeOfForecasts(token));
    if (pause) throw refusalBy(pause);
  }

  /** As they were read last, less than a second ago; null: they cannot be read. */
  get current(): readonly Pause[] | null {
    return this.#isReadable && this.#paused !== null ? [...this.#paused.values()] : null;
  }

  /** While Redis does not answer, the pauses that were read last stay in force. */
  async refresh(): Promise<void> {
    try {
      this.#paused = await this.read();
      this.#isReadable = true;
    } catch (error) {
      if (this.#isReadable) {
        const { cause } = error as Error;
        this.logger.warn(
          { error: String(cause ?? error) },
          'pauses cannot be read; those read before stay in force',
        );
      }
      this.#isReadable = false;
    }
  }

  /** All pauses, as Redis has them now. Throws STORE_UNREACHABLE. */
  async read(): Promise<ReadonlyMap<string, Pause>> {
    const stored = await orStoreUnreachable(this.redis.hgetall(PAUSES_KEY));
    return new Map(
      Object.entries(stored).map(([scope, text]) => {
        const { reason, by, since } = readJsonDto(StoredPause, text);
        return [scope, { scope, reason, by, since }];
      }),
    );
  }
}
