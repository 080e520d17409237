import { useStarted } from '@forecourt/testing/jest';
import { startEvents } from '../support/start-events.js';
import { system } from '../support/systems/events-system.js';
import { nodeAlone } from '../support/use-events.js';

/** Reads the system's ledger in the legacy dialect, which its node also speaks while the file runs. */
export const legacy = useStarted(
  async () => {
    await system.control.behaveLike({ version: '2022' });
    return startEvents({
      ...nodeAlone(system),
      EVENTS_UPSTREAMS: `legacy+${system.ledgerUrl}`,
      EVENTS_METHOD_ALIASES: 'sui',
    });
  },
  (events) => events.stop(),
);

/** In place of new objects under an alias. */
export const UNREPORTED = {
  code: -32_000,
  message: /does not report the type of new objects/,
};
