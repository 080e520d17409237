import { applicationOf, tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

/** A system of services with little memory, for attacks on what listens. */
export const system = useSharedSystem('listeners', (files) => ({
  events: 1,
  env: {
    NODE_OPTIONS: '--max-old-space-size=512',
    TOKENS_FILE: files.write(
      'tokens.yaml',
      tokensFile(tokenEntry('attacker'), tokenEntry('admin', ['role: operator'])),
    ),
    TRUSTED_PROXIES: '127.0.0.0/8',
  },
}));

export const as = (name: string) => applicationOf(name, system.application);

/** The same gateway, at its port for clients of public gas stations. */
export function compatibilityUrl(): string {
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  return `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}`;
}

export const ATTACKER = '127.0.0.66';
