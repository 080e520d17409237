import type { LoggerService } from '@nestjs/common';
import { type Logger as PinoLogger, pino } from 'pino';
import { logDestination } from './log-destination.js';
import { logFields } from './log-fields.js';

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
