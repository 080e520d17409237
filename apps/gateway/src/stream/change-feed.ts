import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { StreamPlaces } from '@forecourt/contracts';
import { OutageLog, type Logger, LOGGER } from '@forecourt/runtime/service';
import { ChangeReader, type ReadSteps } from './change-reader.js';
import { StreamEvent } from './stream-event.js';
import { StreamIds } from './stream-ids.js';

/** A cluster has the streams of several sponsors on several servers, so that no single command can wait for all of them. */
const READ_EVERY_MS = 250;

/** After so many events, those that were written are sent. */
const EVENTS_PER_TURN = 50;

export interface FeedListener {
  receive(event: StreamEvent): void;
}

/** Reads all changes once for all clients of this gateway, while there are any. */
@Injectable()
export class ChangeFeed {
  readonly #listeners = new Set<FeedListener>();
  readonly #failure: OutageLog;
  #joining = 0;
  #started: Promise<void> | undefined;
  #run = new AbortController();
  #places: StreamPlaces = {};
  #readAt: number | null = null;

  constructor(
    @Inject(ChangeReader) private readonly reader: Pick<ChangeReader, 'findEnd' | 'readAfter'>,
    @Inject(StreamIds) private readonly ids: Pick<StreamIds, 'write'>,
    @Inject(LOGGER) logger: Pick<Logger, 'info' | 'warn'>,
  ) {
    this.#failure = new OutageLog(logger, {
      begins: 'Changes cannot be read for the streams',
      goesOn: 'Changes still cannot be read for the streams',
      ends: 'Changes are read for the streams again',
    });
  }

  /** After the last event that listeners have received. */
  get places(): StreamPlaces {
    return this.#places;
  }

  /** No client listens. */
  get isIdle(): boolean {
    return this.#started === undefined;
  }

  /** When changes were read last, in ms since 1970; null: not yet. */
  get readAt(): number | null {
    return this.#readAt;
  }

  /** Resolves with the places after which the listener receives everything. Throws the errors of the coin-pool client. */
  async join(listener: FeedListener): Promise<StreamPlaces> {
    this.#joining += 1;
    try {
      await (this.#started ??= this.start());
      this.#listeners.add(listener);
      return this.#places;
    } finally {
      this.#joining -= 1;
      this.restIfUnused();
    }
  }

  leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    this.restIfUnused();
  }

  private restIfUnused(): void {
    if (this.#joining > 0 || this.#listeners.size > 0) return;
    this.#started = undefined;
    this.#run.abort();
  }

  private async start(): Promise<void> {
    this.#run = new AbortController();
    const { signal } = this.#run;
    this.#places = await this.reader.findEnd();
    this.#readAt = Date.now();
    void this.follow(signal);
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let isPart = false;
    while (!signal.aborted) {
      if (!isPart) await delay(READ_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const read = await this.read();
      if (signal.aborted) return;
      isPart = read?.isPart ?? false;
      if (read !== null) await this.deliver(read, signal);
    }
  }

  /** Null: the coin-pools or Redis do not answer. The streams hold what happens meanwhile, for a while. */
  private async read(): Promise<ReadSteps | null> {
    try {
      const read = await this.reader.readAfter(this.#places);
      this.#readAt = Date.now();
      this.#failure.end();
      return read;
    } catch (error) {
      this.#failure.report({ error: (error as Error).message });
      return null;
    }
  }

  private async deliver({ steps, places }: ReadSteps, signal: AbortSignal): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const { name, place } = step;
      if (place !== null) this.#places = { ...this.#places, [name]: place };
      const event = new StreamEvent(this.ids, step, this.#places);
      for (const listener of this.#listeners) listener.receive(event);
      if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await turn();
      if (signal.aborted) return;
    }
    this.#places = places;
    await turn();
  }
}
