import { type DestinationStream, pino } from 'pino';

/** This many buffered characters are written at once. */
const FLUSH_AT = 15 * 1024;
/** Longest delay of a line below `warn`, which is written together with others. */
const FLUSH_AFTER_MS = 10;
const WARNING = pino.levels.values['warn']!;

let opened: DestinationStream | undefined;

/**
 * Standard output. The lines of 10 ms are written together; a line from `warn` on is written at once with those
 * before it, and a process that ends writes the rest. Only a killed process can lose lines, those of its last 10
 * ms.
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
  let timer: NodeJS.Timeout | undefined;
  const flushSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, FLUSH_AFTER_MS).unref();
  };
  const destination = {
    // Asks pino to set `lastLevel` before it writes.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      flushSoon();
      buffered += line;
      if (destination.lastLevel >= WARNING || buffered.length >= FLUSH_AT) flush();
    },
  };
  return destination;
}
