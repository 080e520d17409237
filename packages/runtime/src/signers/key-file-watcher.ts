import { unwatchFile, watchFile } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { SignerSource } from '@forecourt/key-services';
import type { Signer } from '@forecourt/ledger';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { fleetVariables } from '../config/index.js';
import { type Counter, Metrics } from '../metrics/index.js';
import { type Logger, LOGGER } from '../service/index.js';
import { Signers } from './signers.js';

/** Polled: a file mounted into a container is replaced without an event. */
const POLL_INTERVAL_MS = 1_000;

const outcomes = ['loaded', 'failed'] as const;

/** Injection token of the file that holds the sponsors' keys, or null. */
export const KEY_FILE = Symbol('KEY_FILE');

/** Reads the sponsors' keys again when their file has changed. A malformed file changes nothing. */
@Injectable()
export class KeyFileWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #reloads: Counter<{ outcome: (typeof outcomes)[number] }>;
  readonly #onChange = () => void this.reload();
  #reloading: Promise<void> = Promise.resolve();

  constructor(
    @Inject(KEY_FILE) private readonly file: string | null,
    private readonly signers: Signers,
    private readonly source: SignerSource,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#reloads = metrics.counter<{ outcome: (typeof outcomes)[number] }>({
      name: 'sponsor_key_reloads_total',
      labels: ['outcome'],
      help: 'Reads of the sponsors’ key file after a change, by outcome; failed: the previous keys are kept.',
      known: outcomes.map((outcome) => ({ outcome })),
    });
  }

  onApplicationBootstrap(): void {
    if (this.file === null) return;
    void warnOfReaders(this.file, this.logger);
    watchFile(this.file, { interval: POLL_INTERVAL_MS, persistent: false }, this.#onChange);
    // Detects a change between the start and the watcher's first poll.
    this.#onChange();
  }

  onApplicationShutdown(): void {
    if (this.file !== null) unwatchFile(this.file, this.#onChange);
  }

  /** One at a time, so that an earlier reading never replaces a later one. */
  private reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.read());
    return this.#reloading;
  }

  private async read(): Promise<void> {
    try {
      const { added, removed } = this.signers.replace(await readKeyFile(this.file!, this.source));
      this.#reloads.add({ outcome: 'loaded' });
      if (added.length > 0) this.logger.info({ added }, 'Sponsor keys added');
      if (removed.length > 0) {
        this.logger.warn(
          { removed },
          'Sponsor keys removed: they pay for nothing new; open work is finished while this process runs',
        );
      }
    } catch (error) {
      this.#reloads.add({ outcome: 'failed' });
      this.logger.error(
        { error: (error as Error).message },
        'Sponsor keys not read again: the previous keys are kept',
      );
    }
  }
}

/**
 * The signers of the keys in a file, in the format of SPONSOR_KEYS. Throws `Error` when the file cannot be
 * read or has no key, and `TypeError` for a malformed key; no message contains a key.
 */
export async function readKeyFile(file: string, source: SignerSource): Promise<readonly Signer[]> {
  const keys = fleetVariables.sponsorKeys.parse((await readFile(file, 'utf8')).trim());
  if (keys.length === 0) throw new Error(`${file} holds no key`);
  return source.read(keys);
}

/**
 * Permissions of everyone but the owner and its group: mounted secrets are readable by the group of the pod.
 */
const OTHERS = 0o007;

/** Warns of a file that every user of the machine may read. */
export async function warnOfReaders(file: string, logger: Logger): Promise<void> {
  const { mode } = await stat(file).catch(() => ({ mode: 0 }));
  if ((mode & OTHERS) === 0) return;
  const permissions = (mode & 0o777).toString(8).padStart(4, '0');
  logger.warn(
    { file, permissions },
    'Every user of this machine may read the file of the sponsors’ keys: give it to its owner only (chmod 600)',
  );
}
