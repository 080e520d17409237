import type { Sponsorship } from '@forecourt/contracts';
import {
  type EventStream,
  openEventStream,
  type StreamOptions,
} from '@forecourt/testing/event-stream';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach, beforeEach } from '@jest/globals';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type HistoryApp, startHistoryApp } from '../history/history-app.test-support.js';
import { full, Records } from '../history/records.test-support.js';
import type { GatewayConfig } from '../gateway-config.js';
import { FleetService } from '../operations/fleet.service.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeLog } from './change-log.test-support.js';
import { ChangeReader } from './change-reader.js';
import { FiguresBoard } from './figures-board.js';
import { LiveStreams } from './live-streams.js';
import { ResumedReads } from './resumed-reads.js';
import { StreamController } from './stream.controller.js';
import { StreamIds } from './stream-ids.js';

export interface StreamApp extends HistoryApp {
  readonly records: Records;
  readonly feed: ChangeFeed;
  /** The fleet's figures, as they are read next; `reads`: how often they were. */
  readonly fleet: { value: Awaited<ReturnType<FleetService['summarize']>>; reads: number };
  open(by?: string, query?: string, options?: StreamOptions): ReturnType<typeof openEventStream>;
}

export const FLEET = {
  sponsors: [],
  queue: null,
  epoch: 7,
  epoch_ends_at: null,
  pauses: [],
  failing_webhooks: [],
  other_ledger_nodes: null,
  problems: [],
};

/** A gateway that streams what this log holds. */
export async function startStreamApp(
  log: ChangeLog,
  config: Partial<GatewayConfig> & { readonly isOn?: boolean } = {},
): Promise<StreamApp> {
  const records = new Records();
  records.readChanges = log.read;
  const fleet: StreamApp['fleet'] = { value: FLEET, reads: 0 };
  const summarize = async () => {
    fleet.reads += 1;
    return fleet.value;
  };
  let feed: ChangeFeed | undefined;
  const app = await startHistoryApp(records, config, {
    controllers: [StreamController],
    providers: [
      ChangeReader,
      FiguresBoard,
      LiveStreams,
      ResumedReads,
      StreamIds,
      {
        provide: ChangeFeed,
        inject: [ChangeReader, StreamIds],
        useFactory: (reader: ChangeReader, ids: StreamIds) =>
          (feed = new ChangeFeed(reader, ids, silent)),
      },
      { provide: FleetService, useValue: { summarize } },
      { provide: LEDGER, useValue: {} },
    ],
  });
  return {
    ...app,
    records,
    fleet,
    feed: feed!,
    open: (by = 'shop', query = '', options = {}) =>
      openEventStream(`${app.url}/v1/stream${query}`, { token: by, ...options }),
  };
}

/** Starts a gateway with an empty log for each test of a file. */
export function useStreamApp(): { readonly app: StreamApp; readonly log: ChangeLog } {
  let log: ChangeLog;
  let app: StreamApp;
  beforeEach(async () => {
    log = new ChangeLog();
    app = await startStreamApp(log);
  });
  afterEach(() => app.close());
  return {
    get app() {
      return app;
    },
    get log() {
      return log;
    },
  };
}

const silent = { info: () => undefined, warn: () => undefined };

/** Only records: figures come every second. */
export const RECORDS = '?events=sponsorship,refusal';
export const ALICE = `shop:${full('a')}`;

export const idsOf = (stream: EventStream) =>
  stream.of<Sponsorship>('sponsorship').map((one) => one.reservation_id);
export const untilHas = (stream: EventStream, count: number) =>
  waitUntil(async () => stream.events.length >= count, { what: `${count} events` });
