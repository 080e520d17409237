import { unwatchFile, watchFile } from 'node:fs';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { AccessPolicy } from './access-policy.js';
import { FleetReload } from './fleet-reload.js';

/** Polled: a file that is mounted into a container is exchanged without an event. */
const POLL_INTERVAL_MS = 1_000;

/** Reads tokens and rules again when one of their files has changed. */
@Injectable()
export class AccessFilesWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  #watched: readonly string[] = [];
  readonly #onChange = () => void this.read();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'watchAccessFiles'>,
    private readonly access: AccessPolicy,
    private readonly fleetReload: FleetReload,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.watchAccessFiles) this.watch();
  }

  onApplicationShutdown(): void {
    for (const file of this.#watched) unwatchFile(file, this.#onChange);
  }

  private async read(): Promise<void> {
    const mistake = await this.fleetReload.reloadHere();
    if (mistake !== null) return;
    this.watch();
    this.logger.debug({ files: this.#watched }, 'tokens and access rules reloaded after a change');
  }

  private watch(): void {
    const before = this.#watched;
    this.#watched = this.access.files;
    for (const file of before) unwatchFile(file, this.#onChange);
    for (const file of this.#watched) {
      watchFile(file, { interval: POLL_INTERVAL_MS, persistent: false }, this.#onChange);
    }
  }
}
