import {
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Injectable,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DevnetSettings } from './devnet-config.js';
import { Engine } from './engine/engine.js';
import { NodeProfiles } from './node/node-profile.js';

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

/** A network makes several checkpoints a second; by their time readers measure the lag of a node. */
const WITH_LAG_MS = 250;

/** Makes an empty checkpoint when there has been none for the configured time. */
@Injectable()
export class CheckpointTimer implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly profiles: NodeProfiles,
  ) {}

  onApplicationBootstrap(): void {
    this.profiles.onChange(() => this.schedule());
    this.schedule();
  }

  /** Must stop before the ledger is closed. */
  onModuleDestroy(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    const intervalMs = this.settings.config.checkpointMs ?? this.defaultMs();
    if (intervalMs === null || this.#hasEnded) return;
    const passedMs = Date.now() - this.engine.latestCheckpoint.timestampMs;
    this.#timer = setTimeout(() => this.tick(intervalMs), Math.max(1, intervalMs - passedMs));
  }

  private defaultMs(): number | null {
    return this.profiles.current.lagMs.maxMs > 0 ? WITH_LAG_MS : null;
  }

  private tick(intervalMs: number): void {
    const passedMs = Date.now() - this.engine.latestCheckpoint.timestampMs;
    if (passedMs >= intervalMs) this.engine.sealCheckpoint(true);
    this.schedule();
  }
}
