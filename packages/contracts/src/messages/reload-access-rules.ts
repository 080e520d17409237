import { ValidateIf } from 'class-validator';
import { IsName, IsText, MAX_MESSAGE_LENGTH } from '../validation/is-text.js';

/** Sorted set in Redis: names of running gateways; score = when each was last announced, in ms by Redis's clock. */
export const GATEWAYS_KEY = 'fc:gateways';

/** The channel of requests to gateways to reload the access rules. */
export const RELOAD_ACCESS_RULES_CHANNEL = 'fc:reload-access-rules';

export class ReloadAccessRules {
  /** Identifies this request; its answers are sent on a separate channel. */
  @IsName()
  readonly id!: string;
}

/** The answer of one gateway. */
export class AccessRulesReloaded {
  @IsName()
  readonly gateway!: string;

  /** Null: it has loaded the rules. */
  @ValidateIf(({ mistake }: AccessRulesReloaded) => mistake !== null)
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH })
  readonly mistake!: string | null;
}

/** The channel of the answers to one request. */
export function accessRulesReloadedChannel(id: string): string {
  return `fc:access-rules-reloaded:${id}`;
}
