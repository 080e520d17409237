import { Command } from 'commander';
import { type EventFilter, LedgerEvents } from '@forecourt/client';
import { readConnection } from '../terminal/connection-config.js';
import { interruptSignal } from '../terminal/interrupt-signal.js';
import { requireGasStation } from '../terminal/send-once.js';
import { printEvent } from './events.js';

const KINDS = [
  'MoveEvent',
  'Publish',
  'TransferObject',
  'DeleteObject',
  'NewObject',
  'EpochChange',
  'Checkpoint',
] as const;
const EVERYTHING = JSON.stringify({ Any: KINDS.map((kind) => ({ EventType: kind })) });

/** `watch`: events as they happen. */
export function watchCommand(): Command {
  return new Command('watch')
    .description('events as they happen, until Ctrl-C')
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
