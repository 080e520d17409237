import type { Ledger } from '@forecourt/ledger';
import { within } from '../async/index.js';
import { cacheRead, type Metrics } from '../metrics/index.js';

/** The cheapest question. A node that needs longer for it leaves callers without an answer, too. */
const LIMIT_MS = 10_000;

/**
 * Exports whether a ledger node answers. It is asked when metrics are read, at most once in `LIMIT_MS`, and its answer is
 * shown the next time: a node that hangs does not delay the other metrics, and shows long before calls to it time out.
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
    help: 'Whether a ledger node answered within ten seconds when it was last asked (1) or not (0); asked when metrics are read.',
    read: () => {
      void ask();
      return isUp === null ? [] : [[{}, Number(isUp)]];
    },
  });
}
