import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

/** The entries of the system's file of tokens. */
const TOKENS = [
  tokenEntry('shop'),
  tokenEntry('poor', ['role: sponsor', 'budget: { value: 1_000, window: 1 day }']),
  tokenEntry('admin', ['role: operator']),
];

/** A fleet with every kind of service, two coin-pools among them; its gateway keeps an access audit. */
export const system = useSharedSystem('inspected', (files) => ({
  coinPools: 2,
  events: 1,
  env: {
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(...TOKENS)),
    ACCESS_AUDIT_FILE: files.pathOf('access-audit'),
  },
}));
