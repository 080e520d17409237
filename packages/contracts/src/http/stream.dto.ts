import { ApiProperty } from '@nestjs/swagger';
import { sponsorshipStatuses } from '../history/sponsorship.js';
import { COUNT, TIME } from './fields.js';
import { FleetQueue, FleetSponsor } from './fleet.dto.js';
import { LatencyPercentiles } from './latency.dto.js';
import { AddressParameter, ListParameter, OneOfParameter, TextParameter } from './parameters.js';
import { Pause } from './operator-actions.dto.js';
import { TOKEN_PARAMETER } from './records-query.dto.js';
import { ConfiguredWebhook } from './webhooks.dto.js';

/** The events of a stream that clients can choose; a gap is always shown. */
export const streamEvents = ['sponsorship', 'refusal', 'figures'] as const;
export type StreamEventType = (typeof streamEvents)[number];

/** Parameters of `GET /v1/stream`. */
export class StreamQuery {
  @ListParameter(streamEvents, 'The events, separated by commas; by default all.')
  readonly events?: string;

  @TextParameter(TOKEN_PARAMETER, 'Name of the token.') readonly token?: string;
  @AddressParameter('User of a user’s token.') readonly user?: string;
  @AddressParameter('Sender of the transaction.') readonly sender?: string;
  @OneOfParameter(sponsorshipStatuses, 'Status of sponsorships.') readonly status?: string;
}

/** The numbers of the last minute, of records that the caller may see. */
export class RecentFigures {
  @ApiProperty({ ...COUNT, description: 'The time that is counted: at most a minute.' })
  readonly for_ms!: number;

  @ApiProperty({ ...COUNT, description: 'Executed with success.' }) readonly sponsored!: number;
  @ApiProperty({ ...COUNT, description: 'Failed on the ledger.' }) readonly failed!: number;
  @ApiProperty(COUNT) readonly expired!: number;
  @ApiProperty(COUNT) readonly released!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Refused requests by their error code.',
    example: { FORBIDDEN: 1 },
  })
  readonly refused!: Readonly<Record<string, number>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description:
      'When a request was last refused with a status of 500 and more, in milliseconds since 1970, by error code.',
    example: { LEDGER_UNREACHABLE: 1_760_000_000_000 },
  })
  readonly unserved_at!: Readonly<Record<string, number>>;

  @ApiProperty({ ...TIME, nullable: true, description: 'When a transaction was last executed.' })
  readonly executed_at!: number | null;

  @ApiProperty({
    type: LatencyPercentiles,
    nullable: true,
    description: 'From the claim of a transaction to its outcome; null: there was none.',
  })
  readonly latency_ms!: LatencyPercentiles | null;
}

/** The fleet, for operators and auditors. What cannot be read keeps its last value and its age. */
export class FleetFigures {
  @ApiProperty({ type: [FleetSponsor], nullable: true, description: 'Null: unknown.' })
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

  @ApiProperty({ type: [String], description: 'Why parts are unknown.', example: [] })
  readonly problems!: readonly string[];
}

/** The data of the event `figures`. */
export class StreamFigures {
  @ApiProperty(TIME) readonly at!: number;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When changes were read last. Much earlier than `at`: they cannot be read.',
  })
  readonly changes_read_at!: number | null;

  @ApiProperty() readonly recent!: RecentFigures;

  @ApiProperty({ type: FleetFigures, nullable: true, description: 'Null for other roles.' })
  readonly fleet!: FleetFigures | null;
}
