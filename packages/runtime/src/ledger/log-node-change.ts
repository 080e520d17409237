import type { NodeChange } from '@forecourt/ledger';
import type { Logger } from '../service/index.js';

/** Logs that a ledger node stopped responding or is on another network, and its recovery. */
export function logNodeChange(logger: Pick<Logger, 'info' | 'warn'>): (change: NodeChange) => void {
  return ({ node, reason, isForeign }) => {
    if (reason === null) logger.info({ node }, 'Ledger node responds again');
    else if (isForeign)
      logger.warn(
        { node, reason },
        'Ledger node of another network is not used: check LEDGER_URL and LEDGER_READ_URL',
      );
    else logger.warn({ node, reason }, 'Ledger node does not respond');
  };
}
