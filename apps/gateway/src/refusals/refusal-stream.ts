import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  HISTORY_BACKLOG_KEY,
  HISTORY_COUNTED_BYTES,
  HISTORY_OFF,
  REFUSALS_DROPPED_KEY,
  REFUSALS_KEY,
  type RefusedRequest,
} from '@forecourt/contracts';
import { rememberAnswer } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { OutageLog, type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { HistoryClient } from '../history/history-client.js';
import { RefusalBounds } from './refusal-bounds.js';

const READ_EVERY_MS = 1_000;
/** Redis looks at the whole stream to measure it. */
const MEASURED_EVERY_MS = 10_000;
const BACKLOG = /^[1-9]\d{0,14}$/;

/**
 * While more wait, transactions are left out: they are most of an entry, and an outage must not fill Redis
 * with them.
 */
const MOST_WITH_TRANSACTION = 10_000;

/** Of the stream. */
type Room = 'free' | 'scarce' | 'full' | 'off';

/**
 * Appends refused requests to the stream that history reads, while history is on: one in a minute for each
 * token, code and rule with its transaction. Of those beyond the bounds only the number is kept, by code and
 * token.
 */
@Injectable()
export class RefusalStream implements BeforeApplicationShutdown {
  readonly #room = rememberAnswer(() => this.readRoom(), READ_EVERY_MS);
  readonly #bytes = rememberAnswer(() => this.readBytes(), MEASURED_EVERY_MS);
  readonly #dropped = new Map<string, number>();
  readonly #failure: OutageLog;
  #lastRoom: Room = 'off';
  #flushing: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) logger: Logger,
    private readonly history: HistoryClient,
    private readonly bounds: RefusalBounds,
  ) {
    this.#failure = new OutageLog(logger, {
      begins: 'Refusals not recorded for history',
      goesOn: 'Refusals still not recorded for history',
      ends: 'Refusals are recorded for history again',
    });
  }

  /** Returns at once: an answer never waits for history. */
  add(refused: RefusedRequest): void {
    void this.keep(refused, !this.bounds.takePlace(refused.token));
  }

  /** Keeps the numbers that were counted since the last second. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.#flushing);
    await this.flush();
  }

  private async keep(refused: RefusedRequest, isCounted: boolean): Promise<void> {
    try {
      const room = await this.#room();
      if (room === 'off') return;
      if (isCounted || room === 'full') return this.count(refused);
      const isSample =
        room === 'free' && refused.transaction !== '' && (await this.bounds.isFirst(refused));
      const fields = fieldsOf(isSample ? refused : withoutTransaction(refused));
      const bytes = Buffer.byteLength(fields.join(''));
      if (!(await this.bounds.takeBytes(refused.token, bytes))) return this.count(refused);
      await this.redis.xadd(REFUSALS_KEY, '*', ...fields);
      this.#failure.end();
    } catch (error) {
      this.#failure.report({ error: String(error) });
      this.count(refused);
    }
  }

  /** Never throws: while Redis does not answer, refusals are counted if history was on before. */
  private async readRoom(): Promise<Room> {
    try {
      const [stored, length, bytes] = await Promise.all([
        this.redis.get(HISTORY_BACKLOG_KEY),
        this.redis.xlen(REFUSALS_KEY),
        this.#bytes(),
      ]);
      const counted = Math.max(length, bytes / HISTORY_COUNTED_BYTES);
      this.#lastRoom = roomOf(stored ?? this.unannounced, counted);
      return this.#lastRoom;
    } catch (error) {
      this.#failure.report({ error: String(error) });
      return this.#lastRoom === 'off' ? 'off' : 'full';
    }
  }

  /** The bound before history has started, and after Redis has lost what it announced. */
  private get unannounced(): string {
    return this.history.isOn ? String(MOST_WITH_TRANSACTION) : HISTORY_OFF;
  }

  private async readBytes(): Promise<number> {
    return (await this.redis.memory('USAGE', REFUSALS_KEY, 'SAMPLES', 0)) ?? 0;
  }

  private count({ code, token }: RefusedRequest): void {
    this.countAs(`${code}|${token}`, 1);
  }

  private countAs(field: string, count: number): void {
    this.#dropped.set(field, (this.#dropped.get(field) ?? 0) + count);
    this.#flushing ??= setTimeout(() => void this.flush(), READ_EVERY_MS).unref();
  }

  private async flush(): Promise<void> {
    this.#flushing = undefined;
    const counted = [...this.#dropped];
    this.#dropped.clear();
    const flushed = counted.map(async ([field, count]) => {
      try {
        await this.redis.hincrby(REFUSALS_DROPPED_KEY, field, count);
      } catch (error) {
        this.#failure.report({ error: String(error) });
        this.countAs(field, count);
      }
    });
    await Promise.all(flushed);
  }
}

function roomOf(backlog: string, length: number): Room {
  if (!BACKLOG.test(backlog)) return 'off';
  if (length >= Number(backlog)) return 'full';
  return length >= MOST_WITH_TRANSACTION ? 'scarce' : 'free';
}

function withoutTransaction(refused: RefusedRequest): RefusedRequest {
  return { ...refused, transaction: '' };
}

function fieldsOf(refused: RefusedRequest): string[] {
  return Object.entries<string>({ ...refused }).flat();
}
