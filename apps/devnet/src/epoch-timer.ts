import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { DevnetSettings } from './devnet-settings.js';
import { Engine } from './engine/engine.js';

/** Ends epochs at fixed intervals; a forced epoch change does not reset the timer. */
@Injectable()
export class EpochTimer implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
  ) {}

  onApplicationBootstrap(): void {
    const { epochSeconds } = this.settings.config;
    if (epochSeconds === null) return;
    this.timer = setInterval(() => this.engine.advanceEpoch(), epochSeconds * 1000);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
