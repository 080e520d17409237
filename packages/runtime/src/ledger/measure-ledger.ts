import type { Ledger } from '@forecourt/ledger';
import { within } from '../async/index.js';
import { cacheRead, type Metrics } from '../metrics/index.js';

/** Time limit of the cheapest call. A node that exceeds it is too slow for callers as well. */
const LIMIT_MS = 10_000;

/**
 * Exports whether a ledger node answers. A reading of the metrics starts a call, at most once per `LIMIT_MS`, and
 * shows the previous result: a hanging node does not delay the other metrics, and shows as down long before calls
 * to it time out.
 */
export function measureLedger(metrics: Metrics, ledger: Pick<Ledger, 'chainIdentifier'>): void {
  let isUp: boolean | null = null;
  const ask = cacheRead(async () => {
    const answer = within(ledger.chainIdentifier(), LIMIT_MS, 'Identifying the network');
    isUp = await answer.then(
      () => true,
      () => false,
    );
  }, LIMIT_MS);
  metrics.figures({
    name: 'ledger_up',
    help: 'Whether a ledger node answered the last call within ten seconds (1) or not (0); called when metrics are read.',
    read: () => {
      void ask();
      return isUp === null ? [] : [[{}, Number(isUp)]];
    },
  });
}
