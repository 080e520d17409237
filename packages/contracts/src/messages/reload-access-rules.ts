/** Gateways that are up, by name; score = when each was last seen, in ms of Redis's clock. */
export const GATEWAYS_KEY = 'fc:gateways';

/** The channel on which every gateway hears that the access rules are to be read again. */
export const RELOAD_ACCESS_RULES_CHANNEL = 'fc:reload-access-rules';

export interface ReloadAccessRules {
  /** Names this request; the answers come on its own channel. */
  readonly id: string;
}

/** What one gateway says to it. */
export interface AccessRulesReloaded {
  readonly gateway: string;
  /** Null: its rules are those of its file now. */
  readonly mistake: string | null;
}

/** The channel of the answers to one request. */
export function accessRulesReloadedChannel(id: string): string {
  return `fc:access-rules-reloaded:${id}`;
}
