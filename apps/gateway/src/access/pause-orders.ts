import { Inject, Injectable } from '@nestjs/common';
import { type Pause, PAUSES_KEY, type StoredPause } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { orStoreUnreachable } from '../redis-outage.js';
import { OperatorActions } from './operator-actions.js';
import { BY_FORECAST } from './pause-scopes.js';
import { Pauses } from './pauses.js';

/** Pauses work of the fleet and resumes it, and records who did. */
@Injectable()
export class PauseOrders {
  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    private readonly pauses: Pauses,
    private readonly actions: OperatorActions,
  ) {}

  /** All pauses, as Redis has them now. Throws STORE_UNREACHABLE. */
  async list(): Promise<readonly Pause[]> {
    return [...(await this.pauses.read()).values()];
  }

  /** Throws STORE_UNREACHABLE. */
  async pause(scope: string, reason: string, operator: string): Promise<void> {
    const stored: StoredPause = { reason, by: operator, since: Date.now() };
    await orStoreUnreachable(this.redis.hset(PAUSES_KEY, scope, JSON.stringify(stored)));
    await this.actions.record({ operator, action: 'pause', scope, reason });
    await this.pauses.refresh();
  }

  /**
   * A token's forecasts are trusted again with it. Without a pause of this scope nothing happened, and
   * nothing is recorded. Throws STORE_UNREACHABLE.
   */
  async resume(scope: string, operator: string): Promise<void> {
    const ofForecasts = `${scope}${BY_FORECAST}`;
    const ended = await orStoreUnreachable(this.redis.hdel(PAUSES_KEY, scope, ofForecasts));
    if (ended > 0) await this.actions.record({ operator, action: 'resume', scope, reason: '' });
    await this.pauses.refresh();
  }
}
