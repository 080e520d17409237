import type { Signers } from '@forecourt/runtime/signers';
import type { CoinPoolConfig } from '../coin-pool-config.js';

/** The settings that decide the destination of funds. */
export interface ReceiverRules {
  readonly settings: Pick<CoinPoolConfig, 'withdrawAddresses'>;
  readonly keys: Pick<Signers, 'isConfigured'>;
}

/**
 * Whether funds may be sent to an address: the configuration names it, or it is a sponsor whose key is configured.
 */
export function mayReceive({ settings, keys }: ReceiverRules, address: string): boolean {
  return settings.withdrawAddresses.includes(address) || keys.isConfigured(address);
}
