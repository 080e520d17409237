import { format } from 'node:util';
import type { Logger } from './logger.js';

/** Libraries print with `console`: what they print becomes a line of the log, which holds JSON only. */
export function logConsole(logger: Logger): void {
  const log =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...printed: unknown[]) =>
      logger[level]({ printed: format(...printed) }, 'Printed by a library');
  Object.assign(console, {
    debug: log('debug'),
    info: log('info'),
    log: log('info'),
    warn: log('warn'),
    error: log('error'),
  });
}
