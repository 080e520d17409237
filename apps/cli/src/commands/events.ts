import { Command } from 'commander';
import { type EventCriterion, LedgerEvents, type StoredEventRecord } from '@forecourt/client';
import { digestInBase58 } from '@forecourt/client/digests';
import { formatJson } from '../terminal/format-table.js';
import { readConnection } from '../terminal/connection-config.js';
import { requireGasStation } from '../terminal/send-once.js';
import { interruptSignal } from '../terminal/interrupt-signal.js';
import { readCount } from '../terminal/read-count.js';

interface EventsOptions {
  readonly limit: string;
  readonly descending?: boolean;
  readonly json?: boolean;
}

/** `events`: past events that satisfy a criterion. */
export function eventsCommand(): Command {
  return new Command('events')
    .description('past events that satisfy a criterion, oldest first')
    .argument(
      '[criterion]',
      'JSON, such as {"MoveEvent":"0x2::m::E"}; default: all events',
      '"All"',
    )
    .option('--limit <n>', 'how many at most', '50')
    .option('--descending', 'newest first')
    .option('--json', 'for programs: a line of JSON for each event')
    .action(async (criterion: string, options: EventsOptions) => {
      const limit = readCount('--limit', options.limit);
      const query = { descending: options.descending === true, signal: interruptSignal() };
      const wanted = readCriterion(criterion);
      const connection = readConnection();
      await requireGasStation(connection);
      let shown = 0;
      for await (const record of new LedgerEvents(connection).query(wanted, query)) {
        printEvent(record, options.json === true);
        shown += 1;
        if (shown === limit) return;
      }
      if (shown === 0 && options.json !== true) console.log('No events.');
    });
}

/** One line of JSON, or one line for people, with the digest as other commands and explorers write it. */
export function printEvent(record: StoredEventRecord, json: boolean): void {
  if (json) return console.log(formatJson(record));
  const { timestamp, txDigest, event } = record;
  console.log(
    `${new Date(timestamp).toISOString()}  ${digestInBase58(txDigest)}  ${formatJson(event)}`,
  );
}

function readCriterion(text: string): EventCriterion {
  try {
    return JSON.parse(text) as EventCriterion;
  } catch {
    throw new Error('The criterion must be JSON, such as {"MoveEvent":"0x2::m::E"}');
  }
}
