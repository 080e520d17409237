import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { Equals, IsOptional } from 'class-validator';
import {
  type SponsorCoins,
  type SponsorDrain,
  type SponsorSigner,
  sponsorCoinStates,
  type SponsorState,
  sponsorStates,
} from '../messages/sponsor-messages.js';
import {
  AddressField,
  AMOUNT,
  AmountField,
  COUNT,
  DIGEST,
  FULL_ADDRESS,
  ReasonField,
  TextField,
  TIME,
} from './fields.js';

/** Body of `POST /v1/undrain`. */
export class UndrainRequest {
  @AddressField({ description: 'The sponsor.' }) sponsor_address!: string;
}

/** Body of `POST /v1/drain`. */
export class DrainRequest extends UndrainRequest {
  @ReasonField('Shown to callers.') reason!: string;
}

class WithdrawalRequest extends UndrainRequest {
  @AddressField({ description: 'The destination of its funds.' }) to_address!: string;
  @ReasonField('Recorded with the action.') reason!: string;

  @TextField(
    { maxLength: 64 },
    {
      description:
        'The id of a suspension, which `LOSS_NOT_EXAMINED` names: the operator has looked at the ledger after it.',
      optional: true,
    },
  )
  after_loss?: string | null;
}

/** Body of `POST /v1/withdraw`. */
export class WithdrawRequest extends WithdrawalRequest {
  /** Ignored, it would send everything. */
  @ApiHideProperty()
  @IsOptional()
  @Equals(null, { message: 'amount is ordered with POST /v1/withdraw_amount' })
  amount?: null;
}

const SENT = 'What arrives at the address, in the ledger’s smallest unit; the gas is paid on top.';

function RequestIdField() {
  const description =
    'With an amount only. An amount is sent to an address once; another id orders the same again.';
  return TextField({ maxLength: 64 }, { description, optional: true });
}

/** Body of `POST /v1/withdraw_amount`. */
export class WithdrawAmountRequest extends WithdrawalRequest {
  @AmountField({ description: SENT, example: '500000000' }) amount!: string;
  @RequestIdField() request_id?: string | null;
}

/** Body of `POST /v1/check_withdrawal`. */
export class CheckWithdrawalRequest extends WithdrawalRequest {
  @AmountField({ description: `${SENT} Absent or null: all funds.`, optional: true })
  amount?: string | null;

  @RequestIdField() request_id?: string | null;
}

/** Body of `POST /v1/reconcile`. */
export class ReconcileRequest extends UndrainRequest {
  @ReasonField('Recorded with the action.') reason!: string;
}

class PoolReconciliation {
  @ApiProperty({ description: 'False: it goes on; its result is in the log of the coin-pool.' })
  readonly finished!: boolean;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Coins that the pool lacked.' })
  readonly adopted!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Coins that were changed elsewhere.' })
  readonly corrected!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Differences that remain.' })
  readonly differences!: number | null;
}

/** Answer of `POST /v1/reconcile`. */
export class ReconcileResponse {
  @ApiProperty() readonly result!: PoolReconciliation;
}

/** The reason, operator and time of a sponsor's drain. */
export class Drain implements SponsorDrain {
  @ApiProperty({ example: 'key rotation' }) readonly reason!: string;

  @ApiProperty({ description: 'Name of the operator’s token.', example: 'ops' })
  readonly by!: string;

  @ApiProperty(TIME) readonly since!: number;
}

/** The latest withdrawal of a sponsor's funds. */
export class WithdrawalStatus extends Drain {
  @ApiProperty(FULL_ADDRESS) readonly to_address!: string;

  @ApiProperty({ ...AMOUNT, nullable: true, description: 'The ordered amount. Null: all funds.' })
  readonly amount!: string | null;

  @ApiProperty({ ...COUNT, description: 'Number of coins that have left.' })
  readonly coins!: number;

  @ApiProperty({ ...AMOUNT, description: 'The amount that has arrived at the address.' })
  readonly arrived!: string;

  @ApiProperty({ ...DIGEST, nullable: true, description: 'Of the last transaction.' })
  readonly digest!: string | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null while it is in progress.' })
  readonly ended!: number | null;
}

/** Where a sponsor's key is. */
export class SponsorKeyPlace implements SponsorSigner {
  @ApiProperty({
    type: [String],
    description: 'In order of preference: `local`, or the kind of a key service.',
    example: ['vault'],
  })
  readonly kinds!: readonly string[];

  @ApiProperty({ description: 'Whether it signs for the coin-pool that answers.' })
  readonly signs!: boolean;
}

const KEY_PLACE = {
  type: SponsorKeyPlace,
  nullable: true,
  description: 'Null: the coin-pool that answers has no key of this sponsor.',
} as const;
/** The field of a sponsor that says where its key is. */
export const SignerField = () => ApiProperty(KEY_PLACE);

/** A sponsor, with the progress of its drain and its withdrawal. */
export class SponsorStatus {
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;

  @ApiProperty({
    enum: sponsorStates,
    description:
      '`draining`: gives no reservations, but some of its coins are reserved or in flight. `opening`: its key is new. `no-key`: the coin-pool that answers has no key of it.',
  })
  readonly state!: SponsorState;

  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(sponsorCoinStates.map((state) => [state, COUNT])),
    required: [...sponsorCoinStates],
    selfRequired: true,
  })
  readonly coins!: SponsorCoins;

  @ApiProperty({ ...AMOUNT, description: 'Of all its coins.' }) readonly balance!: string;

  @ApiProperty({ type: Drain, nullable: true, description: 'Null: it is not drained.' })
  readonly drain!: Drain | null;

  @ApiProperty({ type: WithdrawalStatus, nullable: true, description: 'The latest withdrawal.' })
  readonly withdrawal!: WithdrawalStatus | null;

  @SignerField() readonly signer!: SponsorKeyPlace | null;
}

class Sponsors {
  @ApiProperty({ type: [SponsorStatus] }) readonly sponsors!: readonly SponsorStatus[];
}

/**
 * Answer of `GET /v1/sponsors`, and of `POST /v1/drain`, `/v1/undrain`, `/v1/withdraw`, `/v1/withdraw_amount`
 * and `/v1/check_withdrawal`: every sponsor as it is now.
 */
export class SponsorsResponse {
  @ApiProperty() readonly result!: Sponsors;
}
