import { pino } from 'pino';

/** Appends lines of JSON to a file. It is opened again on SIGHUP, so that it can be rotated. */
export function openAuditFile(file: string) {
  const destination = pino.destination({ dest: file, append: true, mkdir: true, sync: false });
  process.on('SIGHUP', () => destination.reopen());
  return pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
