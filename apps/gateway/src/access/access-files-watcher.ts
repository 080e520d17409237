import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { findFileVersion } from '@forecourt/policy/tokens';
import { untilTick } from '@forecourt/resilience';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { AccessPolicy } from './access-policy.js';
import { FleetReload } from './fleet-reload.js';

/** Files are polled, because a file that is mounted into a container is replaced without an event. */
const POLL_INTERVAL_MS = 1_000;

type Versions = AccessPolicy['versions'];

/** Reloads tokens and rules when one of their files has changed. */
@Injectable()
export class AccessFilesWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  /** The versions of the last successful reload, also of one that a request or a signal caused. */
  #read: Versions;
  /** Versions that need no reload: those in force, or those that had a mistake. */
  #known: Versions;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly access: AccessPolicy,
    private readonly fleetReload: FleetReload,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#read = access.versions;
    this.#known = access.versions;
  }

  onApplicationBootstrap(): void {
    this.schedule();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  private schedule(): void {
    this.#timer = setTimeout(
      () => void this.reloadIfChanged(),
      untilTick(POLL_INTERVAL_MS),
    ).unref();
  }

  private async reloadIfChanged(): Promise<void> {
    const { versions } = this.access;
    if (this.#read !== versions) this.#read = this.#known = versions;
    const now = await findVersions(this.#known.keys());
    if (isDifferent(now, this.#known)) await this.reload(now);
    if (this.#timer !== undefined) this.schedule();
  }

  private async reload(now: Versions): Promise<void> {
    const mistake = await this.fleetReload.reloadHere();
    if (mistake !== null) {
      this.#known = now;
      return;
    }
    const files = [...this.access.versions.keys()];
    this.logger.debug({ files }, 'tokens and access rules reloaded after a change');
  }
}

async function findVersions(files: Iterable<string>): Promise<Versions> {
  const found = [...files].map(async (file) => [file, await findFileVersion(file)] as const);
  return new Map(await Promise.all(found));
}

function isDifferent(now: Versions, known: Versions): boolean {
  return [...known].some(([file, version]) => now.get(file) !== version);
}
