import { Command } from 'commander';
import {
  type EventCriterion,
  LedgerEvents,
  type StoredEventRecord,
  type EventFilter,
} from '@forecourt/client';
import { eventKinds } from '@forecourt/contracts';
import { digestInBase58 } from '@forecourt/client/digests';
import { formatJson } from '../terminal/format-table.js';
import { readConnection } from '../terminal/connection-config.js';
import { requireGasStation } from '../terminal/call-route.js';
import { readCount } from '../terminal/read-arguments.js';
import { eventsIndexCommands } from './events-index.js';

/** A signal that aborts when the user presses Ctrl-C. */
function interruptSignal(): AbortSignal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
}

interface EventsOptions {
  readonly limit: string;
  readonly descending?: boolean;
  readonly json?: boolean;
}

/** `events`: past events that satisfy a criterion; its subcommands are about the index. */
export function eventsCommand(): Command {
  const events = new Command('events')
    .argument('[criterion]', 'JSON, such as {"MoveEvent":"0x2::m::E"}', '"All"')
    .option('--limit <n>', 'how many at most', '50')
    .option('--descending', 'newest first')
    .option('--json', 'for programs: a line of JSON for each event')
    .action(async (criterion: string, options: EventsOptions) => {
      const limit = readCount('--limit', options.limit);
      const query = { descending: options.descending === true, signal: interruptSignal() };
      const wanted = readCriterion(criterion);
      const connection = readConnection();
      await requireGasStation(connection);
      let count = 0;
      for await (const record of new LedgerEvents(connection).query(wanted, query)) {
        printEvent(record, options.json === true);
        count += 1;
        if (count === limit) return;
      }
      if (count === 0 && options.json !== true) console.log('No events.');
    });
  for (const command of eventsIndexCommands()) events.addCommand(command);
  return events;
}

/** One line of JSON, or one line for people, with the digest as other commands and explorers write it. */
function printEvent(record: StoredEventRecord, json: boolean): void {
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

const EVERYTHING = JSON.stringify({ Any: eventKinds.map((kind) => ({ EventType: kind })) });

/** `watch`: events as they happen. */
export function watchCommand(): Command {
  return new Command('watch')
    .argument(
      '[filter]',
      'JSON, such as {"SenderAddress":"0x…"}; default: all events, checkpoints included',
      EVERYTHING,
    )
    .option('--json', 'for programs: a line of JSON for each event')
    .action(async (filter: string, { json = false }: { readonly json?: boolean }) => {
      const signal = interruptSignal();
      const wanted = readFilter(filter);
      const connection = readConnection();
      await requireGasStation(connection);
      try {
        const options = {
          signal,
          onConnect: () => console.error(`connected to ${connection.url}; Ctrl-C ends this`),
          onDisconnect: ({ message }: Error) => console.error(`connection lost: ${message}`),
        };
        for await (const record of new LedgerEvents(connection).subscribe(wanted, options)) {
          printEvent(record, json);
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
}

function readFilter(text: string): EventFilter {
  try {
    return JSON.parse(text) as EventFilter;
  } catch {
    throw new Error('The filter must be JSON, such as {"SenderAddress":"0x…"}');
  }
}
