import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { FairBulkhead, TOKEN_SHARE, TokenBuckets } from '@forecourt/resilience';
import type { StreamPlaces } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { ChangeReader, type ReadSteps } from './change-reader.js';
import type { ClientStream } from './client-stream.js';
import { shareOf } from '../access/request-caller.js';

/** Reads in progress, of all callers. */
const AT_ONCE = 4;
/** A bucket holds what a caller may read in this time. */
const BURST_SECS = 10;

/**
 * Reads what resumed streams have missed. Each read counts against the rate of its caller, whether or not the client waits for
 * it, and few are in progress, shared by callers.
 */
@Injectable()
export class ResumedReads {
  readonly #places: FairBulkhead;
  readonly #ofTokens: TokenBuckets;
  readonly #ofUsers: TokenBuckets;

  constructor(
    @Inject(ChangeReader) private readonly reader: Pick<ChangeReader, 'readAfter'>,
    @Inject(GATEWAY_CONFIG)
    config: Pick<GatewayConfig, 'resumedReadsPerSecond' | 'maxStreams'>,
  ) {
    this.#places = new FairBulkhead(AT_ONCE, { waiting: config.maxStreams });
    const perSecond = config.resumedReadsPerSecond;
    this.#ofTokens = new TokenBuckets({ capacity: BURST_SECS * perSecond, perSecond });
    const ofUser = perSecond * TOKEN_SHARE;
    this.#ofUsers = new TokenBuckets({ capacity: BURST_SECS * ofUser, perSecond: ofUser });
  }

  /**
   * The changes after these places that the client may see, as soon as its caller may read; null: the client has left. Throws `NoPlace`
   * and the errors of the coin-pool client.
   */
  async readAfter(
    caller: Caller,
    client: Pick<ClientStream, 'viewer' | 'isOver' | 'left'>,
    places: StreamPlaces,
  ): Promise<ReadSteps | null> {
    while (!client.isOver) {
      const seconds = this.count(caller);
      if (seconds === 0) {
        return this.#places.run(shareOf(caller), async () =>
          client.isOver ? null : this.reader.readAfter(places, client.viewer),
        );
      }
      await delay(seconds * 1_000, undefined, { signal: client.left }).catch(() => undefined);
    }
    return null;
  }

  /** Counts a read. Returns 0, or the seconds until there may be one. */
  private count(caller: Caller): number {
    const [token, user] = shareOf(caller) as [string, string?];
    const seconds = user === undefined ? 0 : this.#ofUsers.take(user);
    return seconds > 0 ? seconds : this.#ofTokens.take(token);
  }
}
