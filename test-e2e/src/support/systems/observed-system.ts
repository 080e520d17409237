import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

/** A token whose first transaction reaches 80 % of its budget, and whose second has no room. */
export const METERED = 'metered';

/** A system with all log lines, frequent audits, a history and an index of events. */
export const system = useSharedSystem('observed', (files) => ({
  events: 1,
  history: true,
  eventIndex: true,
  redis: { dir: files.pathOf('redis') },
  env: {
    LOG_LEVEL: 'debug',
    POOL_AUDIT_MS: '500',
    TOKENS_FILE: files.write(
      'tokens.yaml',
      tokensFile(
        tokenEntry(METERED, ['role: sponsor', 'budget: { value: 10_500_000, window: 1 day }']),
      ),
    ),
  },
}));
