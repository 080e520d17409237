import type { Readable } from 'node:stream';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { ForecourtError, type StreamPlaces } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import { ServiceState } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import { viewerOf } from '../history/viewer-of-caller.js';
import { ChangeFeed } from './change-feed.js';
import { ClientStream, type Wanted } from './client-stream.js';
import { FiguresBoard } from './figures-board.js';
import { ResumedReads } from './resumed-reads.js';
import { StreamEvent, writeEvent, writeHeartbeat } from './stream-event.js';
import { StreamIds } from './stream-ids.js';
import { haveReached } from './stream-places.js';

const TICK_MS = 1_000;
/** A token that expires ends its stream within so many ticks; one that the files change, in the next. */
const CHECK_EVERY_TICKS = 10;
const HEARTBEAT_EVERY_TICKS = 10;
/** Clients of a gateway that stops return at different times, to others. */
const RETRY_MS = { least: 500, spread: 1_500 };

export interface StreamRequest {
  readonly caller: Caller;
  readonly authorization: string | undefined;
  readonly wanted: Wanted;
  readonly lastEventId: string | undefined;
}

/** The streams of all clients. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  readonly #clients = new Map<ClientStream, StreamRequest>();
  #tokens: AccessPolicy['tokens'] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly resumed: ResumedReads,
    private readonly ids: StreamIds,
    private readonly figures: FiguresBoard,
    @Inject(AccessPolicy) private readonly access: Pick<AccessPolicy, 'tokens'>,
    private readonly state: ServiceState,
  ) {
    state.onStop(() => this.endAll());
  }

  /** The listener closes once its answers have ended. */
  beforeApplicationShutdown(): void {
    this.endAll();
  }

  /** Throws INVALID_REQUEST for an unknown `Last-Event-ID`, SHUTTING_DOWN, and the errors of the coin-pool client. */
  async open(request: StreamRequest): Promise<Readable> {
    const { caller, wanted, lastEventId } = request;
    const resumed = lastEventId === undefined ? null : this.ids.read(lastEventId);
    if (this.state.stopping) throw new ForecourtError('SHUTTING_DOWN');
    const client = new ClientStream(viewerOf(caller), wanted);
    const joined = await this.feed.join(client);
    this.add(client, request);
    const retryMs = RETRY_MS.least + Math.floor(Math.random() * RETRY_MS.spread);
    client.write(`retry: ${retryMs}\n${writeHeartbeat(this.ids.write(resumed ?? joined))}`);
    if (this.state.stopping) client.end();
    else void this.begin(client, caller, resumed);
    return client.output;
  }

  private add(client: ClientStream, request: StreamRequest): void {
    this.#clients.set(client, request);
    this.figures.open(client.viewer);
    client.output.once('close', () => {
      this.#clients.delete(client);
      this.feed.leave(client);
      this.figures.close(client.viewer);
      if (this.#clients.size === 0) this.rest();
    });
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.tick(), TICK_MS);
    void this.feed.join(this.figures).catch(() => undefined);
    void this.figures.refresh();
  }

  /** The last client has left. */
  private rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.feed.leave(this.figures);
  }

  private async begin(
    client: ClientStream,
    caller: Caller,
    resumed: StreamPlaces | null,
  ): Promise<void> {
    try {
      const reached = resumed && (await this.catchUp(client, caller, resumed));
      client.follow(reached ?? this.feed.places);
    } catch {
      // It resumes at the same place, here or at another gateway.
      client.end();
    }
  }

  /** Sends what a client has missed, until it is where the feed is or further on. */
  private async catchUp(
    client: ClientStream,
    caller: Caller,
    from: StreamPlaces,
  ): Promise<StreamPlaces> {
    let places = from;
    for (;;) {
      const read = await this.resumed.readAfter(caller, client, places);
      if (read === null) return places;
      for (const step of read.steps) {
        if (step.place !== null) places = { ...places, [step.name]: step.place };
        client.show(new StreamEvent(this.ids, step, places));
        await client.untilRead();
        if (client.isOver) return places;
      }
      ({ places } = read);
      const isBehind = read.isPart || !haveReached(places, this.feed.places);
      if (client.isOver || !isBehind) return places;
    }
  }

  private async tick(): Promise<void> {
    this.#ticks += 1;
    void this.figures.refresh();
    await this.endOutdated();
    const { places } = this.feed;
    const id = this.ids.write(places);
    const texts = new Map<string, Buffer>();
    for (const client of this.#clients.keys()) {
      if (!client.isLiveAt(places)) continue;
      if (client.wants('figures')) client.write(this.figuresFor(client, id, texts));
      else if (this.#ticks % HEARTBEAT_EVERY_TICKS === 0) client.write(writeHeartbeat(id));
    }
  }

  private figuresFor({ viewer }: ClientStream, id: string, texts: Map<string, Buffer>): Buffer {
    const key = JSON.stringify(viewer);
    const text = texts.get(key) ?? writeEvent('figures', id, this.figures.read(viewer));
    texts.set(key, text);
    return text;
  }

  /** Ends the streams whose token was revoked, has expired or has other rights than before. */
  private async endOutdated(): Promise<void> {
    const { tokens } = this.access;
    if (tokens === this.#tokens && this.#ticks % CHECK_EVERY_TICKS !== 0) return;
    this.#tokens = tokens;
    const checks = [...this.#clients].map(async ([client, { caller, authorization }]) => {
      const now = await tokens.callerOf(authorization);
      if (now === null || !seesTheSame(now, caller)) client.end();
    });
    await Promise.all(checks);
  }

  private endAll(): void {
    for (const client of this.#clients.keys()) client.end();
  }
}

function seesTheSame(a: Caller, b: Caller): boolean {
  const [one, other] = [viewerOf(a), viewerOf(b)];
  return one.token === other.token && one.user === other.user;
}
