import {
  type EventCriterion,
  type EventId,
  type EventPage,
  type StoredEventRecord,
} from '@forecourt/contracts';
import type { EventSource } from '../event-source.js';
import { SERVICE_SESSION } from '../node-calls.js';

export interface Reading {
  readonly limit?: number;
  readonly descending?: boolean;
  readonly cursor?: EventId | null;
}

/** One page. */
export function readPage(
  source: EventSource,
  criterion: EventCriterion,
  { limit = 1_000, descending = false, cursor = null }: Reading = {},
): Promise<EventPage> {
  return source.getEvents({ criterion, cursor, limit, descending }, SERVICE_SESSION);
}

/** All pages, up to the end or the first error. */
export async function readPages(
  source: EventSource,
  criterion: EventCriterion,
  reading: Reading = {},
): Promise<{ readonly records: StoredEventRecord[]; readonly error: unknown }> {
  const records: StoredEventRecord[] = [];
  let cursor = reading.cursor ?? null;
  try {
    do {
      const page: EventPage = await readPage(source, criterion, { ...reading, cursor });
      records.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { records, error: null };
  } catch (error) {
    return { records, error };
  }
}

/** Positions of the transactions that the events belong to, each once. */
export function txSeqs(records: readonly StoredEventRecord[]): number[] {
  return [...new Set(records.map(({ id }) => id.txSeq))];
}

/** `from`, … `to`, in either direction. */
export function positions(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + step * index);
}
