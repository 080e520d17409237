import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
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
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: REDACTED.flatMap((field) => [field, `*.${field}`, `headers.${field}`]),
      censor: '[redacted]',
    },
  };
  return pino(options, logDestination());
}

/** Nest's own messages, through the same logger. Its start-up messages are logged at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: PinoLogger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }

  debug(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }
}

const WARNING = pino.levels.values['warn']!;

let output: LineFile | undefined;

/** The log of this process: standard output. A disk that is full, or a reader that is gone, loses lines and nothing else. */
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

/** Fields of every log line of one piece of work: `requestId`, `reservationId`, `digest`. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

const current = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/** Runs a function; these fields are in every line that it logs, directly or indirectly. */
export function withLogFields<T>(fields: LogFields, run: () => T): T {
  return current.run({ ...current.getStore(), ...fields }, run);
}

/** Adds fields to the further lines of the current work. */
export function addLogFields(fields: LogFields): void {
  Object.assign(current.getStore() ?? {}, fields);
}

/** The fields of the current work. */
export function logFields(): LogFields {
  return { ...current.getStore() };
}
