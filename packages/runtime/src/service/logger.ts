import { redactUrls } from '@forecourt/contracts';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { logFields } from './log-fields.js';
import { LineFile } from './line-file.js';

/** The logger of services and domain code: fields first, then the message. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** Injection token of the service's `Logger`. */
export const LOGGER = Symbol('LOGGER');

/** Names of fields that hold secrets, at the top of a line or in one of its objects. */
const SECRETS: ReadonlySet<string> = new Set([
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
]);

const CENSORED = '[redacted]';

/** Writes JSON lines to standard output; blanks secrets in known fields. */
export function createLogger(service: string, level: string): PinoLogger {
  const options = {
    level,
    base: { service },
    mixin: logFields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
  };
  return pino(options, logDestination());
}

type Fields = Record<string, unknown>;

/** The fields, or a copy where some of them have secrets. */
function withoutSecrets(fields: Fields): Fields {
  return replaceIn(fields, withoutSecretsOfParts);
}

/** Addresses stand in fields such as `url`, and in the texts of errors. */
function withoutSecretsOfParts(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('://') ? redactUrls(value) : value;
  const hasParts = typeof value === 'object' && value !== null && !Array.isArray(value);
  return hasParts ? replaceIn(value as Fields, (part) => part) : value;
}

function replaceIn(fields: Fields, shown: (value: unknown) => unknown): Fields {
  let copy: Fields | null = null;
  for (const name of Object.keys(fields)) {
    const value = SECRETS.has(name) ? CENSORED : shown(fields[name]);
    if (value === fields[name]) continue;
    copy ??= { ...fields };
    copy[name] = value;
  }
  return copy ?? fields;
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
