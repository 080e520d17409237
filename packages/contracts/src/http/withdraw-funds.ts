import { IsAddress } from '../validation/is-address.js';
import { IsReason } from '../validation/is-reason.js';

/** Body of `POST /v1/withdraw` and of `POST /v1/check_withdrawal`. */
export class WithdrawRequest {
  @IsAddress()
  sponsor_address!: string;

  /** Where all its funds go. */
  @IsAddress()
  to_address!: string;

  @IsReason()
  reason!: string;
}
