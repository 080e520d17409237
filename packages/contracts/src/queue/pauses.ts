import { IsNatural } from '../validation/is-integer-between.js';
import { IsName } from '../validation/is-text.js';

/** Hash in Redis: scope → `StoredPause` as JSON. Gateways read it. */
export const PAUSES_KEY = 'fc:pauses';
/** Stream in Redis: actions of operators, with `operator`, `action`, `scope` and `reason`. */
export const OPERATOR_ACTIONS_KEY = 'fc:operator-actions';

/** A field of `PAUSES_KEY`. */
export class StoredPause {
  @IsName()
  readonly reason!: string;

  @IsName()
  readonly by!: string;

  @IsNatural()
  readonly since!: number;
}
