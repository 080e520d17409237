import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  AMOUNT,
  COUNT,
  DIGEST,
  FULL_ADDRESS,
  RESERVATION_ID,
  TEXT_OR_NULL,
  TIME,
} from './fields.js';
import { GasCoin } from './reserve-gas.dto.js';

export const transactionVerdicts = [
  'reserved',
  'released',
  'expired',
  'claimed',
  'executing',
  'quarantined',
  'refused',
  'replaced',
  'denied',
  'not_executed',
  'executed',
  'succeeded',
  'failed',
  'maintenance',
  'not_sponsored',
] as const;
/** The outcome of a transaction or a reservation, in one word. */
export type TransactionVerdict = (typeof transactionVerdicts)[number];

const TIME_OR_NULL = { ...TIME, nullable: true } as const;
const DIGEST_OR_NULL = { ...DIGEST, nullable: true } as const;

/** The amount that a transaction in flight counts in a limit; afterwards it is corrected to its cost. */
class ExplainedUsage {
  @ApiProperty() readonly counter!: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'The limit, and whose it is; null: in no file of the gateway that answers.',
    example: 'gas <= 500 IOTA in 1 day, the budget of token shop',
  })
  readonly limit!: string | null;

  @ApiProperty({ description: '`gas`, in the smallest unit, or `requests`.' })
  readonly counts!: string;

  @ApiProperty({ ...AMOUNT, description: 'Of this transaction.' }) readonly amount!: string;

  @ApiProperty({ ...AMOUNT, description: 'Of the window, this transaction included.' })
  readonly used!: string;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When the window ends; null: none runs, or it is unknown.',
  })
  readonly resets_at!: number | null;
}

class ExplainedRefusal {
  @ApiProperty(DIGEST) readonly digest!: string;
  @ApiProperty() readonly message!: string;
  @ApiProperty({ ...COUNT, nullable: true }) readonly quarantine_ends_after_epoch!: number | null;
  @ApiProperty(DIGEST_OR_NULL) readonly moved_on_by!: string | null;
}

export class ExplainedReservation {
  @ApiProperty(RESERVATION_ID) readonly reservation_id!: number;
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;
  @ApiProperty({ description: 'Name of the token.', example: 'shop' }) readonly caller!: string;
  @ApiProperty({ example: 'executed' }) readonly state!: string;
  @ApiProperty({ type: 'integer', example: 10_000_000 }) readonly gas_budget!: number;
  @ApiProperty({ example: 60 }) readonly reserve_duration_secs!: number;
  @ApiProperty(TIME) readonly reserved_at!: number;
  @ApiProperty(TIME) readonly expires_at!: number;

  @ApiProperty({
    type: [GasCoin],
    description: 'Empty once the reservation is over.',
    example: [],
  })
  readonly gas_coins!: readonly GasCoin[];

  @ApiProperty(DIGEST_OR_NULL) readonly digest!: string | null;

  @ApiProperty({
    ...COUNT,
    description: 'Number of its claims, including those that were abandoned before they were made.',
  })
  readonly claims!: number;

  @ApiProperty(TIME_OR_NULL) readonly begun_at!: number | null;
  @ApiProperty(TEXT_OR_NULL) readonly executor!: string | null;
  @ApiProperty(TEXT_OR_NULL) readonly rule!: string | null;

  @ApiProperty({
    ...COUNT,
    description: 'Gateways with a client that waits for the outcome.',
    example: 0,
  })
  readonly waiters!: number;

  @ApiProperty({ type: [ExplainedUsage], example: [] }) readonly usage!: readonly ExplainedUsage[];

  @ApiProperty({ type: ExplainedRefusal, nullable: true, example: null })
  readonly refusal!: ExplainedRefusal | null;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    description: 'How long this record is still kept; null: until the reservation ends.',
    example: 540,
  })
  readonly kept_for_secs!: number | null;
}

export class ExplainedJob {
  @ApiProperty() readonly id!: string;

  @ApiProperty({ description: 'As the queue names it: waiting, active, delayed, …' })
  readonly state!: string;

  @ApiProperty(COUNT) readonly attempts!: number;
  @ApiProperty(TIME) readonly enqueued_at!: number;
  @ApiProperty(TEXT_OR_NULL) readonly last_error!: string | null;
}

/** The ledger's record of the digest. */
export class ExplainedOnLedger {
  @ApiProperty({ example: 'success' }) readonly status!: string;
  @ApiProperty(TEXT_OR_NULL) readonly error!: string | null;
  @ApiProperty({ example: '71' }) readonly epoch!: string;

  @ApiProperty({ ...AMOUNT, description: 'Negative when the rebate exceeded the cost.' })
  readonly gas_charged!: string;

  @ApiProperty({
    ...FULL_ADDRESS,
    nullable: true,
    description: 'Null, as `gas_owner`, if the node that serves reads does not show it.',
  })
  readonly sender!: string | null;

  @ApiProperty({ ...FULL_ADDRESS, nullable: true }) readonly gas_owner!: string | null;
}

const lookupFailures = ['unreachable', 'invalid'] as const;

/** Why the ledger does not tell about a transaction. */
export type LookupFailure = (typeof lookupFailures)[number];

@ApiExtraModels(ExplainedOnLedger)
export class Explanation {
  @ApiProperty({ enum: transactionVerdicts, example: 'succeeded' })
  readonly verdict!: TransactionVerdict;

  @ApiProperty({
    description: 'An explanation in sentences.',
    example: 'The ledger has executed it in epoch 71.',
  })
  readonly meaning!: string;

  @ApiProperty({
    description: 'Recommended actions in sentences.',
    example: 'Nothing needs to be done.',
  })
  readonly advice!: string;

  @ApiProperty({
    ...DIGEST_OR_NULL,
    description: 'Base58; null: the reservation was never used for a transaction.',
  })
  readonly digest!: string | null;

  @ApiProperty({ type: ExplainedReservation, nullable: true })
  readonly reservation!: ExplainedReservation | null;

  @ApiProperty({ type: ExplainedJob, nullable: true, example: null })
  readonly job!: ExplainedJob | null;

  @ApiProperty({
    anyOf: [
      { $ref: getSchemaPath(ExplainedOnLedger) },
      { type: 'string', enum: [...lookupFailures] },
      { type: 'null' },
    ],
    description:
      '`unreachable`: no node answered; `invalid`: a node’s answer cannot be used; null: the ledger has no record of the digest, or none was looked up.',
  })
  readonly ledger!: ExplainedOnLedger | LookupFailure | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    nullable: true,
    description:
      'Lines of the access audit, as they were written; null: the gateway that answers keeps no file of them.',
  })
  readonly decisions!: readonly object[] | null;
}

/** Answer of `GET /v1/explain`. */
export class ExplainResponse {
  @ApiProperty() readonly result!: Explanation;
}
