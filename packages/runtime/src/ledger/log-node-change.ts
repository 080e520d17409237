import type { NodeChange } from '@forecourt/ledger';
import type { Logger } from '../service/index.js';

/** Logs that a ledger node stopped responding, and that it responds again. */
export function logNodeChange(logger: Pick<Logger, 'info' | 'warn'>): (change: NodeChange) => void {
  return ({ node, reason }) => {
    if (reason === null) logger.info({ node }, 'Ledger node responds again');
    else logger.warn({ node, reason }, 'Ledger node does not respond');
  };
}
