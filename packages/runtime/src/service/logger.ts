import { redactUrls } from '@forecourt/contracts';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { logFields } from './log-fields.js';
import { LineFile } from './line-file.js';

/** The logger of services and domain code: fields first, then the message. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** Injection token of the service's `Logger`. */
export const LOGGER = Symbol('LOGGER');

const REDACTED = [
  'authorization',
  'token',
  'tokens',
  'key',
  'keys',
  'secret',
  'user_sig',
  'userSig',
  'signature',
  'signatures',
];

/** Writes JSON lines to standard output; blanks secrets in known fields. */
export function createLogger(service: string, level: string): PinoLogger {
  const options = {
    level,
    base: { service },
    mixin: logFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutUrlSecrets },
    redact: {
      paths: REDACTED.flatMap((field) => [field, `*.${field}`, `headers.${field}`]),
      censor: '[redacted]',
    },
  };
  return pino(options, logDestination());
}

/** Addresses stand in fields such as `url`, and in the texts of errors. */
function withoutUrlSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  const hasUrl = (value: unknown) => typeof value === 'string' && value.includes('://');
  if (!Object.values(fields).some(hasUrl)) return fields;
  const redacted = Object.entries(fields).map(([name, value]) => {
    return [name, hasUrl(value) ? redactUrls(value as string) : value] as const;
  });
  return Object.fromEntries(redacted);
}

const WARNING = pino.levels.values['warn']!;

let output: LineFile | undefined;

/**
 * The log of this process: standard output. A disk that is full, or a reader that is gone, loses lines and
 * nothing else.
 */
export function logFile(): LineFile {
  output ??= LineFile.standardOutput({
    onRecovery: (lost) => {
      const time = new Date().toISOString();
      const line = { level: 'warn', time, lost, msg: 'The log could not be written; it is again' };
      output!.write(`${JSON.stringify(line)}\n`);
    },
  });
  return output;
}

/** Lines are written together; one from `warn` on is written at once, with those before it. */
function logDestination(): DestinationStream {
  const file = logFile();
  const destination = {
    // Asks pino to set `lastLevel` before it writes.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      file.write(line);
      if (destination.lastLevel >= WARNING) file.flush();
    },
  };
  return destination;
}
