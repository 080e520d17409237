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
/** Body of `POST /v1/events_index/backfill`. */
export class EventsIndexRange {
  @IntegerField(...CHECKPOINT, { example: 0 }) first_checkpoint!: number;
  @IntegerField(...CHECKPOINT, { description: 'Included.', example: 999 }) last_checkpoint!: number;
}
