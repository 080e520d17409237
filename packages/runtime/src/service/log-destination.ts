import { type DestinationStream, pino } from 'pino';

/** This many characters are written without waiting for the end of the turn. */
const FLUSH_AT = 15 * 1024;
const WARNING = pino.levels.values['warn']!;

let opened: DestinationStream | undefined;

/**
 * Standard output. The lines of one turn of the event loop are written together; a line from `warn` on is written at once with
 * those before it, and a process that ends writes what is left. Only a process that is killed can lose a turn's lines.
 */
export function logDestination(): DestinationStream {
  opened ??= openDestination();
  return opened;
}

function openDestination(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  let buffered = '';
  const flush = () => {
    if (buffered !== '') output.write(buffered);
    buffered = '';
  };
  process.on('exit', flush);
  const destination = {
    // Asks pino to set `lastLevel` before it writes.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      if (buffered === '') setImmediate(flush);
      buffered += line;
      if (destination.lastLevel >= WARNING || buffered.length >= FLUSH_AT) flush();
    },
  };
  return destination;
}
