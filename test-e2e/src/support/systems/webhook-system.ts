import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

/** The file of tokens, to which test files add their webhooks. */
export const TOKENS = 'webhook-tokens.yaml';

/** A fleet whose webhooks may be on this machine. */
export const system = useSharedSystem('webhooks', (files) => ({
  gateways: 2,
  history: 2,
  env: {
    TOKENS_FILE: files.write(TOKENS, tokensFile(tokenEntry('ops', ['role: operator']))),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  },
}));
