import { ApiProperty } from '@nestjs/swagger';
import { type InFlightState, inFlightStates } from '../messages/inspect-messages.js';
import {
  AMOUNT,
  byState,
  COUNT,
  DIGEST,
  FULL_ADDRESS,
  RESERVATION_ID,
  TEXT_OR_NULL,
  TIME,
} from './fields.js';
import { Drain, SignerField, type SponsorKeyPlace } from './sponsors.dto.js';

export interface FleetCoins {
  readonly coins: number;
  readonly balance: string;
}

const COINS = {
  type: 'object',
  required: ['coins', 'balance'],
  properties: { coins: { type: 'integer' }, balance: { type: 'string', pattern: AMOUNT.pattern } },
};

/** Available coins of one size. */
export class FleetSize {
  @ApiProperty({ ...AMOUNT, description: 'The size reaches from this balance to twice that.' })
  readonly at_least!: string;

  @ApiProperty(COUNT) readonly coins!: number;
}

/** Gas that a sponsor has paid, less refunds. */
class FleetSpending {
  @ApiProperty(AMOUNT) readonly spent!: string;
  @ApiProperty(TIME) readonly since!: number;
}

class RecentSpending {
  @ApiProperty({ type: FleetSpending, nullable: true }) readonly hour!: FleetSpending | null;
  @ApiProperty({ type: FleetSpending, nullable: true }) readonly day!: FleetSpending | null;
}

export class FleetSponsor {
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;

  @ApiProperty({ ...AMOUNT, description: 'Of all coins, in the ledger’s smallest unit.' })
  readonly balance!: string;

  @ApiProperty({ ...byState(COINS), example: { available: { coins: 499, balance: '49900' } } })
  readonly coins!: Readonly<Record<string, FleetCoins>>;

  @ApiProperty({
    type: [FleetSize],
    description: 'Available coins by balance, the largest first.',
  })
  readonly sizes!: readonly FleetSize[];

  @ApiProperty({
    description:
      'Since about an hour and about a day ago, or since the first sample; null before there is one.',
  })
  readonly spending!: RecentSpending;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'At the rate of the day; null while nothing is spent, or too little was observed.',
    example: 209.3,
  })
  readonly days_left!: number | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The replica that leads the pool.' })
  readonly leader!: string | null;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    description: 'How long the pool hands out no coins after a Redis restart; null: it does.',
  })
  readonly suspended_secs!: number | null;

  @ApiProperty({ type: Drain, nullable: true, description: 'Null: it is not drained.' })
  readonly drain!: Drain | null;

  @ApiProperty({
    ...byState({ type: 'integer' }),
    description: 'Including reservations that no transaction has used yet.',
    example: { reserved: 0, claimed: 0, executing: 0, quarantined: 1 },
  })
  readonly reservations!: Readonly<Record<string, number>>;

  @SignerField() readonly signer!: SponsorKeyPlace | null;
}

export class FleetQuarantine {
  @ApiProperty({ description: 'In the ledger’s words, shortened.', example: 'locked' })
  readonly reason!: string;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    description: 'It can end once the ledger is in a later epoch.',
  })
  readonly ends_after_epoch!: number | null;

  @ApiProperty({
    ...DIGEST,
    nullable: true,
    description: 'The sponsor’s own transaction that moves the coins on.',
  })
  readonly moved_on_by!: string | null;
}

/** One transaction in flight. */
export class FleetTransaction {
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;
  @ApiProperty({ enum: inFlightStates }) readonly state!: InFlightState;
  @ApiProperty(DIGEST) readonly digest!: string;
  @ApiProperty(RESERVATION_ID) readonly reservation_id!: number;
  @ApiProperty({ description: 'Name of the token.', example: 'shop' }) readonly caller!: string;
  @ApiProperty(TIME) readonly reserved_at!: number;

  @ApiProperty({ ...TIME, nullable: true, description: 'When an executor took it up first.' })
  readonly begun_at!: number | null;

  @ApiProperty({ ...COUNT, description: 'Since it was begun, or reserved if it has not begun.' })
  readonly age_secs!: number;

  @ApiProperty(TEXT_OR_NULL) readonly executor!: string | null;
  @ApiProperty(COUNT) readonly coins!: number;

  @ApiProperty({ type: FleetQuarantine, nullable: true })
  readonly quarantine!: FleetQuarantine | null;
}

export class FleetQueue {
  @ApiProperty(COUNT) readonly waiting!: number;
  @ApiProperty(COUNT) readonly active!: number;
  @ApiProperty(COUNT) readonly delayed!: number;
}

export class FleetReplica {
  @ApiProperty({ example: 'coin-pool' }) readonly service!: string;
  @ApiProperty({ example: 'coin-pool-7d9c-4f1c2a9e-51d0' }) readonly id!: string;

  @ApiProperty({ description: 'Version and commit.', example: '1.0.0-0123456789ab' })
  readonly version!: string;

  @ApiProperty(TIME) readonly started_at!: number;

  @ApiProperty({ ...TIME, description: 'Time of its last announcement.' })
  readonly seen_at!: number;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description:
      'Of a gateway: the `version` of its tokens and access rules, as in `GET /v1/access`; null: unknown.',
    example: '0f1e2d3c4b5a',
  })
  readonly access_version!: string | null;
}

const fleetParts = [
  'sponsors',
  'replicas',
  'queue',
  'epoch',
  'pauses',
  'webhooks',
  'events',
  'events_index',
  'records',
] as const;

/** A part of the fleet that cannot be read. */
export class FleetProblem {
  @ApiProperty({ enum: fleetParts, example: 'queue' })
  readonly part!: (typeof fleetParts)[number];

  @ApiProperty({ description: 'The reason.', example: 'Redis is unreachable' })
  readonly message!: string;
}

/** The fleet, for operators. */
export class Fleet {
  @ApiProperty({ type: [FleetSponsor] }) readonly sponsors!: readonly FleetSponsor[];

  @ApiProperty({
    type: [FleetTransaction],
    description: 'Of each state of each sponsor those that have waited longest for an executor.',
  })
  readonly transactions!: readonly FleetTransaction[];

  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: the ledger does not answer.' })
  readonly epoch!: number | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When the epoch ends, as planned. Null: unknown.',
  })
  readonly epoch_ends_at!: number | null;

  @ApiProperty({ type: FleetQueue, nullable: true, description: 'Null: Redis does not answer.' })
  readonly queue!: FleetQueue | null;

  @ApiProperty({ type: [FleetReplica] }) readonly replicas!: readonly FleetReplica[];

  @ApiProperty({ type: [FleetProblem], description: 'Empty: everything could be read.' })
  readonly problems!: readonly FleetProblem[];
}

/** Answer of `GET /v1/fleet`. */
export class FleetResponse {
  @ApiProperty() readonly result!: Fleet;
}
