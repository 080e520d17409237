import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';
import { userKeysEntry } from '../user-token.js';

const TOKENS = [
  tokenEntry('shop'),
  tokenEntry('other'),
  userKeysEntry('users'),
  tokenEntry('ops', ['role: operator']),
  tokenEntry('audit', ['role: auditor']),
];

/** A fleet with a history, and with callers of every role. */
export const system = useSharedSystem('history', (files) => ({
  gateways: 2,
  coinPools: 2,
  history: 2,
  env: { TOKENS_FILE: files.write('tokens.yaml', tokensFile(...TOKENS)) },
}));
