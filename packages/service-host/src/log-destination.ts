import { type DestinationStream, pino } from 'pino';

/** So many bytes are written without waiting for the end of the turn. */
const WRITTEN_AT_BYTES = 15 * 1024;
/** Kept at most for an output that takes nothing. */
const KEPT_AT_MOST_BYTES = 16 * 1024 * 1024;
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
  const output = pino.destination({
    ...{ dest: 1, sync: true, minLength: WRITTEN_AT_BYTES, maxLength: KEPT_AT_MOST_BYTES },
  });
  let isDue = false;
  const flush = () => {
    isDue = false;
    try {
      output.flushSync();
    } catch {
      // Nobody reads the output any more: no reason to stop serving.
    }
  };
  process.on('exit', flush);
  const destination = {
    // Asks pino to set `lastLevel` before it writes.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line);
      if (destination.lastLevel >= WARNING) return flush();
      if (isDue) return;
      isDue = true;
      setImmediate(flush);
    },
  };
  return destination;
}
