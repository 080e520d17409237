import {
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Injectable,
} from '@nestjs/common';
import { DevnetSettings } from './devnet-settings.js';
import { Engine } from './engine/engine.js';

/** Longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Ends each epoch at the time in the system state; a forced end of an epoch starts the time of the next one.
 */
@Injectable()
export class EpochTimer implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  readonly #onEpoch = () => this.schedule();

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.config.epochSeconds === null) return;
    this.engine.changes.on('epoch', this.#onEpoch);
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.engine.changes.off('epoch', this.#onEpoch);
    clearTimeout(this.#timer);
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    const { epochStartMs, epochDurationMs } = this.engine.systemState();
    const restMs = Math.max(0, epochStartMs + epochDurationMs - Date.now());
    this.#timer =
      restMs > LONGEST_MS
        ? setTimeout(() => this.schedule(), LONGEST_MS)
        : setTimeout(() => this.engine.advanceEpoch(), restMs);
  }
}
