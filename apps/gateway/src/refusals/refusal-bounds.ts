import { Inject, Injectable } from '@nestjs/common';
import type { RefusedRequest } from '@forecourt/contracts';
import { allowedOf, FairShares, gatewayLimits, TOKEN_SHARE } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const A_SECOND = { total: gatewayLimits.refusalsPerSecond.default, share: TOKEN_SHARE };
const A_DAY = { total: gatewayLimits.refusalBytesPerDay.default, share: TOKEN_SHARE };

/** Hash in Redis: name of a token → bytes of its refused requests that were stored on a day. */
const bytesKey = (day: number) => `fc:rate:refusal-bytes:${day}`;
/** No token has this name. */
const ALL = '*';
/** Exists once a refusal of this kind has been stored with its transaction in a minute. */
const sampleKey = (minute: number, kind: string) => `fc:rate:refusal-sample:${minute}:${kind}`;

/** The units that a time in ms has completed. */
const periodOf = (ms: number) => Math.floor(Date.now() / ms);

/**
 * Bounds the refused requests that are stored: who sends most must not hide the refusals of others, or fill
 * the database.
 */
@Injectable()
export class RefusalBounds {
  #second = { number: -1, shares: new FairShares(A_SECOND) };
  #minute = { number: -1, kinds: new Set<string>() };
  /** As Redis has answered last. A token that is beyond its share stays so until the end of the day. */
  #day = { number: -1, bytes: 0, ofTokens: new Map<string, number>() };

  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  /** Whether the token has a place left among those of a second at this gateway. */
  takePlace(token: string): boolean {
    const number = periodOf(SECOND_MS);
    if (this.#second.number !== number) {
      this.#second = { number, shares: new FairShares(A_SECOND) };
    }
    return this.#second.shares.take([token]) !== null;
  }

  /**
   * Whether the fleet has stored no transaction for this token, code and rule in this minute. Throws the
   * errors of Redis.
   */
  async isFirst({ token, code, rule }: RefusedRequest): Promise<boolean> {
    const number = periodOf(MINUTE_MS);
    if (this.#minute.number !== number) this.#minute = { number, kinds: new Set() };
    const kind = `${token}|${code}|${rule}`;
    if (this.#minute.kinds.has(kind)) return false;
    this.#minute.kinds.add(kind);
    const set = await this.redis.set(sampleKey(number, kind), '1', 'PX', MINUTE_MS, 'NX');
    return set === 'OK';
  }

  /**
   * Whether the token has so many bytes left among those of a day, which then count. Throws the errors of
   * Redis.
   */
  async takeBytes(token: string, bytes: number): Promise<boolean> {
    const number = periodOf(DAY_MS);
    if (this.#day.number !== number) this.#day = { number, bytes: 0, ofTokens: new Map() };
    const day = this.#day;
    const own = day.ofTokens.get(token) ?? 0;
    if (own + bytes > allowedOf(A_DAY, { held: day.bytes, own })) return false;
    const key = bytesKey(number);
    const [ofToken, all] = await Promise.all([
      this.redis.hincrby(key, token, bytes),
      this.redis.hincrby(key, ALL, bytes),
      this.redis.pexpire(key, 2 * DAY_MS),
    ]);
    day.ofTokens.set(token, ofToken);
    day.bytes = all;
    return true;
  }
}
