import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  canonicalAddress,
  ForecourtError,
  type Pause,
  PAUSES_KEY,
  readJsonDto,
  type ResumeRequest,
  StoredPause,
} from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { OperatorActions } from './operator-actions.js';
import { orStoreUnreachable } from '../or-store-unreachable.js';

/** A pause is in force at every gateway within a second. */
const READ_EVERY_MS = 500;
const RETRY_AFTER_SECS = 30;

export const EVERYTHING = 'everything';
export const scopeOfSponsor = (address: string) => `sponsor ${address}`;
export const scopeOfToken = (name: string) => `token ${name}`;

/** What a request is to pause or resume. Throws INVALID_REQUEST where it names both. */
export function readScope({ sponsor_address: sponsor, token }: ResumeRequest): string {
  if (sponsor != null && token != null) {
    throw new ForecourtError('INVALID_REQUEST', 'Give sponsor_address or token, not both');
  }
  if (sponsor != null) return scopeOfSponsor(canonicalAddress(sponsor)!);
  return token == null ? EVERYTHING : scopeOfToken(token);
}

/** Knows what operators have paused. It is kept in Redis, so that it holds for the fleet and outlives every process. */
@Injectable()
export class Pauses implements OnApplicationBootstrap, OnApplicationShutdown {
  /** By scope; null: not read yet. */
  #paused: ReadonlyMap<string, Pause> | null = null;
  #isReadable = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
    @Inject(OperatorActions) private readonly actions: Pick<OperatorActions, 'record'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.refresh(), READ_EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /**
   * Throws PAUSED with the operator's reason where new work is paused for everybody, the token or the sponsor (if it is
   * known yet), and STORE_UNREACHABLE while the pauses have not been read once.
   */
  requireRunning({ token, sponsor }: { token: string; sponsor?: string }): void {
    if (this.#paused === null) throw new ForecourtError('STORE_UNREACHABLE');
    if (this.#paused.size === 0) return;
    const pause =
      this.#paused.get(EVERYTHING) ??
      this.#paused.get(scopeOfToken(token)) ??
      (sponsor === undefined ? undefined : this.#paused.get(scopeOfSponsor(sponsor)));
    if (pause === undefined) return;
    throw new ForecourtError('PAUSED', pause.reason, { retryAfterSecs: RETRY_AFTER_SECS });
  }

  /** All that is paused, read anew. Throws STORE_UNREACHABLE. */
  async list(): Promise<readonly Pause[]> {
    return [...(await this.read()).values()];
  }

  /** Throws STORE_UNREACHABLE. */
  async pause(scope: string, reason: string, operator: string): Promise<void> {
    const stored: StoredPause = { reason, by: operator, since: Date.now() };
    await orStoreUnreachable(this.redis.hset(PAUSES_KEY, scope, JSON.stringify(stored)));
    await this.actions.record({ operator, action: 'pause', scope, reason });
    await this.refresh();
  }

  /** Throws STORE_UNREACHABLE. */
  async resume(scope: string, operator: string): Promise<void> {
    await orStoreUnreachable(this.redis.hdel(PAUSES_KEY, scope));
    await this.actions.record({ operator, action: 'resume', scope, reason: '' });
    await this.refresh();
  }

  /** The pauses that were read last stay in force while Redis does not answer. */
  private async refresh(): Promise<void> {
    try {
      this.#paused = await this.read();
      this.#isReadable = true;
    } catch (error) {
      if (this.#isReadable) {
        const { cause } = error as Error;
        this.logger.warn(
          { error: String(cause ?? error) },
          'pauses not read; those read before stay in force',
        );
      }
      this.#isReadable = false;
    }
  }

  private async read(): Promise<ReadonlyMap<string, Pause>> {
    const stored = await orStoreUnreachable(this.redis.hgetall(PAUSES_KEY));
    return new Map(
      Object.entries(stored).map(([scope, text]) => {
        const { reason, by, since } = readJsonDto(StoredPause, text);
        return [scope, { scope, reason, by, since }];
      }),
    );
  }
}
