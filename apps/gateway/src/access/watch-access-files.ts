import { unwatchFile, watchFile } from 'node:fs';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { AccessController } from './access-controller.js';
import { ReloadEverywhere } from './reload-everywhere.js';

/** Files are looked at, since a file that is mounted into a container is exchanged without an event. */
const LOOK_EVERY_MS = 1_000;

/** Reads tokens and rules again when one of their files has changed. */
@Injectable()
export class WatchAccessFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  #watched: readonly string[] = [];
  readonly #onChange = () => void this.read();

  constructor(
    private readonly access: AccessController,
    private readonly reloadEverywhere: ReloadEverywhere,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.watch();
  }

  onApplicationShutdown(): void {
    for (const file of this.#watched) unwatchFile(file, this.#onChange);
  }

  private async read(): Promise<void> {
    const mistake = await this.reloadEverywhere.reloadHere();
    if (mistake === null) this.watch();
    this.logger.debug({ files: this.#watched }, 'files of tokens and rules looked at');
  }

  private watch(): void {
    const before = this.#watched;
    this.#watched = this.access.files;
    for (const file of before) unwatchFile(file, this.#onChange);
    for (const file of this.#watched) {
      watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, this.#onChange);
    }
  }
}
