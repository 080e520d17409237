import { type OnApplicationBootstrap, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DevnetSettings } from './devnet-settings.js';
import { Engine } from './engine/engine.js';
import { NodeProfiles } from './node/node-profiles.js';

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
