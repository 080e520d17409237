import { ApiProperty } from '@nestjs/swagger';
import {
  type DroppedRefusals,
  type ListedRefusal,
  MAX_COUNTED,
  type SponsorshipCount,
} from '../history/history-messages.js';
import {
  type ListedSponsorship,
  MAX_REFUSALS,
  type RebuildCause,
  rebuildCauses,
  type Sponsorship,
  type SponsorshipGas,
  type SponsorshipRefusal,
  type SponsorshipStatus,
  sponsorshipStatuses,
  type TimelineEvent,
  timelineEvents,
} from '../history/sponsorship.js';
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

const DIGEST_OR_NULL = { ...DIGEST, nullable: true } as const;
const ADDRESS_OR_NULL = { ...FULL_ADDRESS, nullable: true } as const;
const TOKEN = { description: 'Name of the token.', example: 'shop' } as const;
const USER = { ...ADDRESS_OR_NULL, description: 'The user of a user’s token.' } as const;
const HTTP_STATUS = { type: 'integer', minimum: 400, maximum: 599, example: 400 } as const;

class ChargedGas implements SponsorshipGas {
  @ApiProperty(AMOUNT) readonly computation!: string;
  @ApiProperty(AMOUNT) readonly storage!: string;
  @ApiProperty(AMOUNT) readonly rebate!: string;
  @ApiProperty(AMOUNT) readonly net!: string;
  @ApiProperty({ ...AMOUNT, description: 'What limits counted.' }) readonly counted!: string;
}

class RefusedExecute implements SponsorshipRefusal {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty(HTTP_STATUS) readonly status!: number;
  @ApiProperty({ example: 'REFUSED_BY_LEDGER' }) readonly code!: string;
  @ApiProperty() readonly message!: string;
  @ApiProperty(DIGEST_OR_NULL) readonly digest!: string | null;
}

class TimelineEntry {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty({ enum: timelineEvents, example: 'reserved' }) readonly event!: TimelineEvent;
}

/** A sponsorship in a list. */
class SponsorshipSummary implements ListedSponsorship {
  @ApiProperty(RESERVATION_ID) readonly reservation_id!: number;

  @ApiProperty({ enum: sponsorshipStatuses, example: 'executed' })
  readonly status!: SponsorshipStatus;

  @ApiProperty({ enum: ['success', 'failure', null], nullable: true, example: 'success' })
  readonly outcome!: 'success' | 'failure' | null;

  @ApiProperty(TOKEN) readonly token!: string;
  @ApiProperty({ ...USER, example: null }) readonly user!: string | null;
  @ApiProperty(FULL_ADDRESS) readonly sponsor_address!: string;
  @ApiProperty(ADDRESS_OR_NULL) readonly sender!: string | null;
  @ApiProperty(DIGEST_OR_NULL) readonly digest!: string | null;
  @ApiProperty({ ...AMOUNT, example: '10000000' }) readonly gas_budget!: string;
  @ApiProperty({ ...AMOUNT, example: '100000000' }) readonly reserved_balance!: string;

  @ApiProperty({
    type: ChargedGas,
    nullable: true,
    description: 'What the ledger charged; null where it charged nothing.',
  })
  readonly gas!: SponsorshipGas | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'In order.',
    example: [`MoveCall 0x${'0'.repeat(63)}2::clock::timestamp_ms`],
  })
  readonly commands!: readonly string[];

  @ApiProperty({ ...TEXT_OR_NULL, description: 'The access rule that allowed it.', example: null })
  readonly rule!: string | null;

  @ApiProperty({
    type: [RefusedExecute],
    maxItems: MAX_REFUSALS,
    description: 'Refused execute requests, oldest first.',
    example: [],
  })
  readonly refusals!: readonly SponsorshipRefusal[];

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'The ledger’s text: why it failed, or why it is quarantined.',
    example: null,
  })
  readonly failure!: string | null;

  @ApiProperty({ ...COUNT, description: 'Submissions to a node.' }) readonly attempts!: number;
  @ApiProperty({ ...TEXT_OR_NULL, example: null }) readonly executor!: string | null;

  @ApiProperty({ type: 'array', items: { type: 'string' }, example: [] })
  readonly request_ids!: readonly string[];

  @ApiProperty({ ...TEXT_OR_NULL, example: null }) readonly trace_id!: string | null;
  @ApiProperty(TIME) readonly created_at!: number;
  @ApiProperty({ ...TIME, nullable: true }) readonly ended_at!: number | null;

  @ApiProperty({
    enum: [...rebuildCauses, null],
    nullable: true,
    description:
      'Why it was recorded from the ledger, since its pool had no record of it: `token` is empty where that is lost. Null: it was recorded as it ended.',
    example: null,
  })
  readonly rebuilt!: RebuildCause | null;
}

/** A sponsorship with its coins and the times of its transitions. */
class WholeSponsorship extends SponsorshipSummary implements Sponsorship {
  @ApiProperty({ type: [GasCoin], description: 'As reserved.' })
  readonly gas_coins!: readonly GasCoin[];

  @ApiProperty({ type: [TimelineEntry], description: 'In order.' })
  readonly timeline!: readonly TimelineEntry[];
}

/** Answer of `GET /v1/sponsorships/{reservation_id}` and `GET /v1/transactions/{digest}`. */
export class SponsorshipResponse {
  @ApiProperty() readonly result!: WholeSponsorship;
}

/** The field `next_cursor`. */
export const NEXT_CURSOR = {
  ...TEXT_OR_NULL,
  description: '`cursor` of the next page; null: there is none.',
  example: null,
} as const;

class SponsorshipsPage {
  @ApiProperty({ type: [SponsorshipSummary], description: 'In the order that was asked for.' })
  readonly data!: readonly ListedSponsorship[];

  @ApiProperty(NEXT_CURSOR) readonly next_cursor!: string | null;

  @ApiProperty({
    ...COUNT,
    description:
      'Ended sponsorships without a record, of all time: their entries were lost in Redis. Only for operators and auditors.',
    example: 0,
  })
  readonly missing!: number;
}

/** Answer of `GET /v1/sponsorships`. */
export class SponsorshipsResponse {
  @ApiProperty() readonly result!: SponsorshipsPage;
}

class CountedSponsorships implements SponsorshipCount {
  @ApiProperty({ ...COUNT, maximum: MAX_COUNTED, example: 1234 }) readonly count!: number;

  @ApiProperty({ description: 'False: there may be more.' }) readonly is_exact!: boolean;
}

/** Answer of `GET /v1/sponsorships/count`. */
export class SponsorshipCountResponse {
  @ApiProperty() readonly result!: CountedSponsorships;
}

class RefusalSummary implements ListedRefusal {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty({ example: 'POST /v1/execute_tx' }) readonly route!: string;
  @ApiProperty(TOKEN) readonly token!: string;
  @ApiProperty({ ...USER, example: null }) readonly user!: string | null;
  @ApiProperty(ADDRESS_OR_NULL) readonly sender!: string | null;
  @ApiProperty(HTTP_STATUS) readonly status!: number;
  @ApiProperty({ example: 'FORBIDDEN' }) readonly code!: string;
  @ApiProperty() readonly message!: string;
  @ApiProperty({ ...TEXT_OR_NULL, example: null }) readonly rule!: string | null;
  @ApiProperty(DIGEST_OR_NULL) readonly digest!: string | null;
  @ApiProperty({ ...RESERVATION_ID, nullable: true }) readonly reservation_id!: number | null;

  @ApiProperty({ ...TEXT_OR_NULL, description: '`x-request-id` of the answer.', example: 'req-1' })
  readonly request_id!: string | null;
}

class CountedRefusals implements DroppedRefusals {
  @ApiProperty({ example: 'NO_COINS' }) readonly code!: string;
  @ApiProperty(TOKEN) readonly token!: string;
  @ApiProperty(COUNT) readonly requests!: number;
}

class RefusalsPage {
  @ApiProperty({ type: [RefusalSummary], description: 'Newest first.' })
  readonly data!: readonly ListedRefusal[];

  @ApiProperty(NEXT_CURSOR) readonly next_cursor!: string | null;

  @ApiProperty({
    type: [CountedRefusals],
    description:
      'Refusals beyond the token’s share of 100 a second in one gateway and of 256 MiB a day, of which only the number is kept.',
    example: [],
  })
  readonly dropped!: readonly DroppedRefusals[];
}

/** Answer of `GET /v1/refusals`. */
export class RefusalsResponse {
  @ApiProperty() readonly result!: RefusalsPage;
}
