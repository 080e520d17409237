import { type DestinationStream, pino } from 'pino';

/** So many characters are written without waiting for the end of the turn. */
const WRITTEN_AT = 15 * 1024;
const WARNING = pino.levels.values['warn']!;

let opened: DestinationStream | undefined;

/**
 * Standard output. The lines of one turn of the event loop are written at once, those from `warn` on at once with
 * whatever is before them; a process that ends writes what is left. Only one that is killed can lose a turn's lines.
 */
export function logDestination(): DestinationStream {
  opened ??= openDestination();
  return opened;
}

function openDestination(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  let held = '';
  const flush = () => {
    if (held !== '') output.write(held);
    held = '';
  };
  process.on('exit', flush);
  const destination = {
    // Asks pino to set `lastLevel` before it writes.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      if (held === '') setImmediate(flush);
      held += line;
      if (destination.lastLevel >= WARNING || held.length >= WRITTEN_AT) flush();
    },
  };
  return destination;
}
