import { ApiProperty } from '@nestjs/swagger';
import {
  ACCESS_REFUSALS,
  type AccessRefusal,
  type TrafficRecord,
  type UntriedCountReply,
} from '../history/traffic-messages.js';
import {
  AMOUNT,
  BCS,
  COUNT,
  DIGEST,
  FULL_ADDRESS,
  RESERVATION_ID,
  TEXT_OR_NULL,
  TIME,
} from './fields.js';

/** One access decision, with what decides about its transaction again. */
class RecordedDecision implements TrafficRecord {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty({
    enum: [...ACCESS_REFUSALS],
    nullable: true,
    example: null,
    description: 'The code of the refusal; null: it was sponsored.',
  })
  readonly refusal!: AccessRefusal | null;
  @ApiProperty({ example: 'shop' }) readonly token!: string;
  @ApiProperty({ ...FULL_ADDRESS, nullable: true }) readonly user!: string | null;
  @ApiProperty({ ...FULL_ADDRESS, nullable: true }) readonly sponsor!: string | null;
  @ApiProperty({ ...DIGEST, nullable: true, description: 'Null: a refused reservation.' })
  readonly digest!: string | null;
  @ApiProperty({ ...RESERVATION_ID, nullable: true }) readonly reservation_id!: number | null;
  @ApiProperty({ ...TEXT_OR_NULL, description: 'The rule that decided.', example: null })
  readonly rule!: string | null;
  @ApiProperty({
    description:
      'Reserved budget, seconds of the reservation, reference gas price or -, maximum cost, and 1 for an abstract account or 0.',
    example: '10000000 60 1000 10000000 0',
  })
  readonly facts!: string;
  @ApiProperty({ ...BCS, nullable: true, description: 'Null: not kept.' })
  readonly transaction!: string | null;
  @ApiProperty({ ...TIME, nullable: true }) readonly ended_at!: number | null;
  @ApiProperty({ example: true }) readonly executed!: boolean;
  @ApiProperty({ ...AMOUNT, description: 'In limits on gas.' }) readonly counted!: string;
  @ApiProperty({ ...AMOUNT, description: 'Charged by the ledger.' }) readonly gas!: string;
}

class DecisionSettings {
  @ApiProperty({ description: 'ALLOW_ABSTRACT_ACCOUNTS', example: false })
  readonly allow_abstract_accounts!: boolean;
  @ApiProperty({ description: 'MAX_GAS_PRICE_RATIO', example: 2 })
  readonly max_gas_price_ratio!: number;
}

class DecisionsPage {
  @ApiProperty({ type: [RecordedDecision], description: 'Oldest first.' })
  readonly data!: readonly TrafficRecord[];
  @ApiProperty({ ...TEXT_OR_NULL, description: '`cursor` of the next page; null after the last.' })
  readonly next_cursor!: string | null;
  @ApiProperty({ description: 'Of the gateway that answers, which decide beside the rules.' })
  readonly settings!: DecisionSettings;
}

/** Answer of `GET /v1/access/decisions`. */
export class DecisionsResponse {
  @ApiProperty() readonly result!: DecisionsPage;
}

class UntriedCount implements UntriedCountReply {
  @ApiProperty({ ...TIME, nullable: true, description: 'The first day that has records.' })
  readonly first!: number | null;
  @ApiProperty(COUNT) readonly sponsorships!: number;
  @ApiProperty(COUNT) readonly refusals!: number;
}

/** Answer of `GET /v1/access/decisions/missing`. */
export class MissingDecisionsResponse {
  @ApiProperty() readonly result!: UntriedCount;
}
