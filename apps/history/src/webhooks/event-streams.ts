import {
  type CoinStoreRedis,
  listSponsors,
  quarantineNewsKey,
  thresholdsKey,
} from '@forecourt/coin-store';
import {
  type AnnouncedBudget,
  FLEET_EVENTS_KEY,
  type FleetEvent,
  fleetEvents,
  OPERATOR_ACTIONS_KEY,
  type StoredSponsorship,
  type ThresholdEntry,
} from '@forecourt/contracts';
import type { LedgerCodec } from '@forecourt/ledger';
import { formSponsorship } from '@forecourt/sponsorship';
import type { Logger } from '@forecourt/runtime/service';
import type { Database } from '../database/database.js';
import { addDeliveries, type NotifiedEvent, type Queryable } from './delivery-outbox.js';
import type { WebhookDirectory } from './webhook-directory.js';

interface EventEntry {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fields: Readonly<Record<string, string>>;
}

/** Throws `Error` for an entry that cannot be read. */
type ReadEvent = (entry: EventEntry) => NotifiedEvent;

const MOST_ENTRIES = 500;

/**
 * Turns the entries of streams that do not become records into deliveries: events of the fleet, actions of
 * operators, quarantines, and thresholds of budgets. The place in each stream is stored in the same
 * transaction, and its row is locked meanwhile: however many replicas read, and whenever they die, each entry
 * is added once.
 */
export class EventStreams {
  /**
   * Stream → the id of its newest entry when it was read last: a look at a quiet stream costs one command.
   */
  readonly #seen = new Map<string, string>();

  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly decoder: LedgerCodec,
    private readonly database: Database,
    private readonly directory: WebhookDirectory,
    private readonly logger: Logger,
  ) {}

  /** Adds the deliveries of all new entries. */
  async read(): Promise<void> {
    const streams = await this.listStreams();
    const newest = await Promise.all(streams.map(([stream]) => this.newestOf(stream)));
    for (const [index, [stream, read]] of streams.entries()) {
      await this.readStream(stream, newest[index]!, read);
    }
  }

  private async listStreams(): Promise<readonly (readonly [stream: string, read: ReadEvent])[]> {
    const sponsors = [...(await listSponsors(this.redis)).values()];
    return [
      [FLEET_EVENTS_KEY, readFleetEvent],
      [OPERATOR_ACTIONS_KEY, readAction],
      ...sponsors.flatMap((sponsor): (readonly [string, ReadEvent])[] => [
        [quarantineNewsKey(sponsor), (entry) => readQuarantine(this.decoder, sponsor, entry)],
        [thresholdsKey(sponsor), (entry) => readThreshold(sponsor, entry)],
      ]),
    ];
  }

  private async newestOf(stream: string): Promise<string> {
    const [newest] = await this.redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    return newest?.[0] ?? '0-0';
  }

  private async readStream(stream: string, newestId: string, read: ReadEvent): Promise<void> {
    if (this.#seen.get(stream) === newestId) return;
    await this.database.transaction(async (transaction) => {
      const place = await lockPlace(transaction, stream, newestId);
      const entries = await this.redis.xrange(stream, `(${place}`, '+', 'COUNT', MOST_ENTRIES);
      const last = entries.at(-1)?.[0] ?? place;
      const events = entries.flatMap((entry) => this.readEvent(stream, toEntry(entry), read));
      await addDeliveries(transaction, this.directory, events);
      await transaction.query(MOVE_PLACE, [stream, last]);
      if (entries.length < MOST_ENTRIES) this.#seen.set(stream, last);
    });
  }

  /** None for an entry that cannot be read. */
  private readEvent(stream: string, entry: EventEntry, read: ReadEvent): readonly NotifiedEvent[] {
    try {
      return [read(entry)];
    } catch (error) {
      const { message } = error as Error;
      this.logger.error({ stream, id: entry.id, error: message }, 'Event left out');
      return [];
    }
  }
}

function readAction({ id, at, fields }: EventEntry): NotifiedEvent {
  const key = `${OPERATOR_ACTIONS_KEY} ${id}`;
  return { key, type: 'action.taken', token: null, at, data: fields };
}

/** Throws `Error` for an entry of an unknown form. */
function readFleetEvent({ id, at, fields }: EventEntry): NotifiedEvent {
  const { type, sponsor, data = '{}' } = fields;
  if (!isFleetEvent(type)) throw new Error(`unknown type ${type}`);
  const body = { sponsor_address: sponsor, ...(JSON.parse(data) as object) };
  return { key: `${FLEET_EVENTS_KEY} ${id}`, type, token: null, at, data: body };
}

/** Throws `InvalidEntry`. */
function readQuarantine(
  decoder: LedgerCodec,
  sponsor: string,
  { at, fields }: EventEntry,
): NotifiedEvent {
  const data = formSponsorship(decoder, sponsor, fields as unknown as StoredSponsorship);
  const key = `sponsorship ${data.sponsor_address} ${data.reservation_id} quarantine ${at}`;
  return { key, type: 'sponsorship.quarantined', token: data.token, at, data };
}

/**
 * A budget of a token concerns its owner; what a rule or the sponsor has spent may tell about other callers.
 * The key is the same if Redis loses the note that the threshold was announced. Throws `Error` for an entry
 * of an unknown form.
 */
function readThreshold(sponsor: string, { at, fields }: EventEntry): NotifiedEvent {
  const { threshold, used, counter, window, budget } = fields as unknown as ThresholdEntry;
  const announced = JSON.parse(budget) as AnnouncedBudget;
  const { kind, token, limit, window_secs } = announced;
  return {
    key: `threshold ${sponsor} ${counter} ${window} ${limit} ${threshold}`,
    type: 'budget.threshold',
    token: kind === 'token' ? token : null,
    at,
    data: {
      sponsor_address: sponsor,
      threshold: Number(threshold),
      ...announced,
      used,
      renewed_at: window_secs === null ? null : Number(window) + window_secs * 1_000,
    },
  };
}

/** The id of the last entry that was read; at first that of the newest one: older entries are not news. */
async function lockPlace(
  transaction: Queryable,
  stream: string,
  newestId: string,
): Promise<string> {
  await transaction.query(FIRST_PLACE, [stream, newestId]);
  const { rows } = await transaction.query(LOCK_PLACE, [stream]);
  return (rows[0] as { last_id: string }).last_id;
}

function toEntry([id, pairs]: [string, string[]]): EventEntry {
  const names = pairs.filter((_, index) => index % 2 === 0);
  const fields = Object.fromEntries(names.map((name, index) => [name, pairs[2 * index + 1]!]));
  return { id, at: Number(id.split('-')[0]), fields };
}

function isFleetEvent(type: string | undefined): type is FleetEvent {
  return fleetEvents.some((one) => one === type);
}

const FIRST_PLACE = `
  insert into webhook_cursors (stream, last_id) values ($1, $2) on conflict (stream) do nothing`;
const LOCK_PLACE = 'select last_id from webhook_cursors where stream = $1 for update';
const MOVE_PLACE = 'update webhook_cursors set last_id = $2 where stream = $1';
