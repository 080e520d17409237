import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

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
