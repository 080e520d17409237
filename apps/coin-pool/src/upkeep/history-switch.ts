import { type CoinStoreRedis, setHistoryBacklog } from '@forecourt/coin-store';
import { HISTORY_BACKLOG_KEY } from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import type { Look, UpkeepTask } from './upkeep-task.js';

const FOLLOW_EVERY_MS = 1_000;
const BACKLOG = /^[1-9]\d{0,14}$/;

/** Turns the history of the pools on while the service of history asks for it, and off again. */
export class HistorySwitch {
  readonly tasks: readonly UpkeepTask[] = [
    {
      name: 'follow the switch of history',
      everyMs: FOLLOW_EVERY_MS,
      isDue: () => true,
      run: (look) => this.follow(look),
    },
  ];

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /** Copies the fleet's bound into the pool's slot, where the scripts find it. */
  async follow({ sponsor, historyBacklog }: Pick<Look, 'historyBacklog' | 'sponsor'>) {
    const stored = (await this.redis.get(HISTORY_BACKLOG_KEY)) ?? '';
    const backlog = BACKLOG.test(stored) ? Number(stored) : null;
    if (backlog === historyBacklog) return;
    await setHistoryBacklog(this.redis, sponsor, backlog);
    this.logger.info({ sponsor, backlog }, backlog === null ? 'History is off' : 'History is on');
  }
}
