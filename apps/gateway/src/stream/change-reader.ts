import { setImmediate as turn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ChangesOfStream,
  ListedRefusal,
  Sponsorship,
  StreamPlaces,
  Viewer,
} from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import {
  formRefusal,
  formSponsorship,
  maySeeStored,
  readRefusedRequest,
  readStoredSponsorship,
} from '@forecourt/sponsorship';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

/** A sponsorship in a new state, or a refused request. */
export type StreamedRecord =
  | { readonly type: 'sponsorship'; readonly data: Sponsorship }
  | { readonly type: 'refusal'; readonly data: ListedRefusal };

/** The next step in a stream: a record, or a gap (null) where records are lost. */
export interface Step {
  /** The stream. */
  readonly name: string;
  /** After a gap, a client goes on from where it was, and finds the gap again. */
  readonly place: string | null;
  readonly at: number;
  readonly record: StreamedRecord | null;
}

export interface ReadSteps {
  /** By time. */
  readonly steps: readonly Step[];
  /** The places to go on from. */
  readonly places: StreamPlaces;
  /** There may be more. */
  readonly isPart: boolean;
}

/** Other requests have their turn after so many records are formed. */
const FORMED_PER_TURN = 50;

const EVERYBODY: Viewer = { token: null, user: null };

/** Reads the changes of all sponsors, and the refused requests of all gateways. */
@Injectable()
export class ChangeReader {
  constructor(
    @Inject(CoinPoolClient) private readonly coinPool: Pick<CoinPoolClient, 'readChanges'>,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'decodeTransaction'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** The places at the end of all streams. Throws the errors of the coin-pool client. */
  async findEnd(): Promise<StreamPlaces> {
    const { streams } = await this.coinPool.readChanges({ after: {}, fromEnd: true });
    return placesOf(streams);
  }

  /** Everything after these places that the viewer may see. Throws the errors of the coin-pool client. */
  async readAfter(after: StreamPlaces, viewer = EVERYBODY): Promise<ReadSteps> {
    const isOfAll = viewer.token === null;
    const { streams } = await this.coinPool.readChanges({ after, ...(!isOfAll && { viewer }) });
    const steps: Step[] = [];
    let formed = 0;
    for (const { name, sponsor, isGap, changes, place } of streams) {
      const at = timeOf(changes[0]?.id ?? place);
      if (isGap) steps.push({ name, place: null, at, record: null });
      for (const { id, pairs } of changes) {
        if (!maySeeStored(viewer, pairs)) continue;
        const record = this.form({ name, sponsor, id }, pairs);
        if (record !== null) steps.push({ name, place: id, at: timeOf(id), record });
        if (++formed % FORMED_PER_TURN === 0) await turn();
      }
    }
    return {
      steps: steps.toSorted((a, b) => a.at - b.at),
      places: { ...after, ...placesOf(streams) },
      isPart: streams.some(({ isPart }) => isPart),
    };
  }

  /** Null for one that cannot be read. */
  private form(
    change: { readonly name: string; readonly sponsor: string | null; readonly id: string },
    pairs: readonly string[],
  ): StreamedRecord | null {
    const { sponsor } = change;
    try {
      if (sponsor === null)
        return { type: 'refusal', data: formRefusal(readRefusedRequest(pairs)) };
      const stored = readStoredSponsorship(pairs);
      return { type: 'sponsorship', data: formSponsorship(this.ledger, sponsor, stored) };
    } catch (error) {
      this.logger.warn(
        { ...change, error: (error as Error).message },
        'Change left out of streams',
      );
      return null;
    }
  }
}

function placesOf(streams: readonly ChangesOfStream[]): StreamPlaces {
  return Object.fromEntries(streams.map(({ name, place }) => [name, place]));
}

const timeOf = (place: string) => Number(place.split('-', 1)[0]);
