import { IsName } from '../validation/is-text.js';

/**
 * `withdraw-funds`. Orders that all funds of a drained sponsor are sent to an address; the same order again changes nothing.
 * Empty reply. Throws INVALID_REQUEST, FORBIDDEN where the coin-pool may not send to the address, SPONSOR_NOT_IDLE.
 */
export class WithdrawFundsMessage {
  /** In full form, as is `to`. */
  @IsName()
  readonly sponsor!: string;

  @IsName()
  readonly to!: string;

  @IsName()
  readonly reason!: string;

  /** Name of the operator's token. */
  @IsName()
  readonly operator!: string;
}
