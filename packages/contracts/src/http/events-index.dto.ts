import { ApiProperty } from '@nestjs/swagger';
import { COUNT, IntegerField, TEXT_OR_NULL, TIME } from './fields.js';

/** Checkpoints that the index does not have. */
export class EventsIndexHole {
  @ApiProperty(COUNT) readonly first_checkpoint!: number;
  @ApiProperty(COUNT) readonly last_checkpoint!: number;

  @ApiProperty({
    enum: ['waiting', 'pruned', 'inconvertible', 'gap'],
    description: '`waiting`: to be read; otherwise why no node delivers them.',
  })
  readonly reason!: string;

  @ApiProperty({ description: 'In the words of a node.', example: '' }) readonly detail!: string;

  @ApiProperty({ ...COUNT, description: 'Failed attempts to fill it.' })
  readonly attempts!: number;

  @ApiProperty({ ...COUNT, description: 'Until the next attempt; 0: it is due, or under way.' })
  readonly retry_secs!: number;
}

/** How far the index of events reaches, and what is missing in it. */
export class EventsIndex {
  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: the index has not begun.' })
  readonly first_checkpoint!: number | null;

  @ApiProperty({ ...COUNT, nullable: true }) readonly last_checkpoint!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'The first event’s cursor.' })
  readonly first_cursor!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'The cursor after the last event.' })
  readonly end_cursor!: number | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Time of the last checkpoint.' })
  readonly last_at!: number | null;

  @ApiProperty({ ...COUNT, nullable: true, description: 'Null: no node of this ledger answers.' })
  readonly node_checkpoint!: number | null;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    description: 'Checkpoints of the node that are not in the index yet.',
  })
  readonly lag_checkpoints!: number | null;

  @ApiProperty({ ...COUNT, description: 'Checkpoints in holes.' })
  readonly missing_checkpoints!: number;

  @ApiProperty({ type: [EventsIndexHole], description: 'Of many holes the newest hundred.' })
  readonly holes!: readonly EventsIndexHole[];

  @ApiProperty({ ...COUNT, description: 'Size of its tables and their indexes.' })
  readonly bytes!: number;

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The replica that writes it; null: none does.' })
  readonly writer!: string | null;

  @ApiProperty({
    type: [String],
    description:
      'Ledger nodes that serve another ledger than the index holds, from which nothing is read.',
    example: [],
  })
  readonly other_ledger_nodes!: readonly string[];
}

/** Answer of `GET /v1/events_index` and `POST /v1/events_index/backfill`. */
export class EventsIndexResponse {
  @ApiProperty() readonly result!: EventsIndex;
}

const CHECKPOINT = [0, Number.MAX_SAFE_INTEGER] as const;
const EVENT = {
  type: 'object',
  additionalProperties: true,
  nullable: true,
  description: 'The event in the ledger’s own JSON; null: it is not there.',
} as const;

/** Body of `POST /v1/events_index/backfill` and `POST /v1/events_index/verify`. */
export class EventsIndexRange {
  @IntegerField(...CHECKPOINT, { example: 0 }) first_checkpoint!: number;
  @IntegerField(...CHECKPOINT, { description: 'Included.', example: 999 }) last_checkpoint!: number;
}

/** An event that the index and a ledger node do not show alike. */
export class EventsIndexDifference {
  @ApiProperty({ ...COUNT, description: 'The event’s cursor.' }) readonly cursor!: number;

  @ApiProperty({
    enum: ['missing', 'extra', 'different', 'unfindable'],
    description:
      '`missing` in the index; `extra`: only there; `unfindable`: a criterion that it satisfies does not find it.',
  })
  readonly problem!: 'missing' | 'extra' | 'different' | 'unfindable';

  @ApiProperty(EVENT) readonly indexed!: object | null;

  @ApiProperty(EVENT) readonly ledger!: object | null;
}

/** The comparison of some checkpoints. */
export class EventsIndexVerification {
  @ApiProperty({
    ...COUNT,
    description: 'The first checkpoint that was not compared: where the next request continues.',
  })
  readonly next_checkpoint!: number;

  @ApiProperty({ ...COUNT, description: 'Compared events.' }) readonly events!: number;

  @ApiProperty({ ...COUNT, description: 'Checkpoints in holes, which were not compared.' })
  readonly missing_checkpoints!: number;

  @ApiProperty({ description: 'The node.', example: 'iota node.example.com' })
  readonly node!: string;

  @ApiProperty({ ...COUNT, description: 'All differences found.' })
  readonly difference_count!: number;

  @ApiProperty({ type: [EventsIndexDifference], description: 'The first twenty.' })
  readonly differences!: readonly EventsIndexDifference[];
}

/** Answer of `POST /v1/events_index/verify`. */
export class EventsIndexVerificationResponse {
  @ApiProperty() readonly result!: EventsIndexVerification;
}
