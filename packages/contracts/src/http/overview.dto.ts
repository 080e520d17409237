import { ApiProperty } from '@nestjs/swagger';
import { COUNT, TIME } from './fields.js';
import { FleetProblem, FleetQueue, FleetSponsor } from './fleet.dto.js';
import { Pause } from './operator-actions.dto.js';
import { ConfiguredWebhook } from './webhooks.dto.js';

const BY_CODE = { type: 'object', additionalProperties: { type: 'integer' } } as const;

/** The requests of the last minute, as the database has them. */
export class RecentRequests {
  @ApiProperty({ ...COUNT, description: 'Executed with success.' }) readonly sponsored!: number;
  @ApiProperty({ ...COUNT, description: 'Failed on the ledger.' }) readonly failed!: number;

  @ApiProperty({ ...BY_CODE, description: 'Refused, by error code.', example: { FORBIDDEN: 1 } })
  readonly refused!: Readonly<Record<string, number>>;

  @ApiProperty({
    ...BY_CODE,
    description:
      'When a request was last refused with a status of 500 and more, in milliseconds since 1970, by error code.',
    example: { LEDGER_UNREACHABLE: 1_760_000_000_000 },
  })
  readonly unserved_at!: Readonly<Record<string, number>>;

  @ApiProperty({ ...TIME, nullable: true, description: 'When the newest of them was executed.' })
  readonly executed_at!: number | null;
}

/** The figures of the whole fleet. */
export class Overview {
  @ApiProperty(TIME) readonly at!: number;

  @ApiProperty({ type: RecentRequests, nullable: true, description: 'Null: unknown.' })
  readonly recent!: RecentRequests | null;

  @ApiProperty({
    type: [FleetSponsor],
    nullable: true,
    description: 'Those that were read last. Null: unknown.',
  })
  readonly sponsors!: readonly FleetSponsor[] | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'When `sponsors` were read.' })
  readonly sponsors_read_at!: number | null;

  @ApiProperty({ type: FleetQueue, nullable: true, description: 'Null: unknown.' })
  readonly queue!: FleetQueue | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: the ledger does not answer.' })
  readonly epoch!: number | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When the epoch ends, as planned. Null: unknown.',
  })
  readonly epoch_ends_at!: number | null;

  @ApiProperty({ type: [Pause], nullable: true, description: 'Null: unknown.' })
  readonly pauses!: readonly Pause[] | null;

  @ApiProperty({
    type: [ConfiguredWebhook],
    nullable: true,
    description: 'Webhooks whose last attempt failed, or that have answered 410. Null: unknown.',
  })
  readonly failing_webhooks!: readonly ConfiguredWebhook[] | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description:
      'Ledger nodes that serve another ledger than the index of events holds. Null: unknown, or there is no index.',
    example: [],
  })
  readonly other_ledger_nodes!: readonly string[] | null;

  @ApiProperty({ type: [FleetProblem], description: 'Empty: everything could be read.' })
  readonly problems!: readonly FleetProblem[];
}

/** Answer of `GET /v1/overview`. */
export class OverviewResponse {
  @ApiProperty() readonly result!: Overview;
}
