import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, FULL_ADDRESS, TEXT_OR_NULL, TIME } from './fields.js';
import { AddressParameter } from './parameters.js';

/** Parameters of `GET /v1/limits`. */
export class LimitsQuery {
  @AddressParameter(
    'The sponsor whose counters are shown; by default the one that pays where none is chosen.',
  )
  readonly sponsor_address?: string;
}

/** A budget and what is used of it. */
export class BudgetUse {
  @ApiProperty({ description: 'The limit in words.', example: 'gas <= 500 IOTA in 1 day' })
  readonly limit!: string;

  @ApiProperty({ ...AMOUNT, description: 'The most gas in a window.' }) readonly most!: string;

  @ApiProperty({
    ...AMOUNT,
    description: 'In the present window, transactions in flight with their largest cost.',
  })
  readonly used!: string;

  @ApiProperty({ ...AMOUNT, description: 'Never negative.' }) readonly left!: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Null: a total, which is never renewed.',
    example: 86_400,
  })
  readonly window_secs!: number | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When the window ends, and all is left again; null: none has begun, or a total.',
  })
  readonly resets_at!: number | null;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'When a total ends; null: it has no end, or is renewed.',
    example: null,
  })
  readonly ends_at!: number | null;
}

/** The limits of one token. */
export class TokenLimits {
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: the sponsor’s own.', example: 'shop' })
  readonly token!: string | null;

  @ApiProperty({ type: [BudgetUse] }) readonly budgets!: readonly BudgetUse[];

  @ApiProperty({
    type: [String],
    description: 'Its other limits in words; the defaults apply to others.',
    example: ['coins at once <= 200'],
  })
  readonly others!: readonly string[];
}

class LimitsInUse {
  @ApiProperty({
    ...FULL_ADDRESS,
    description: 'The sponsor of these budgets, which are counted for each.',
  })
  readonly sponsor_address!: string;

  @ApiProperty({ type: [TokenLimits] }) readonly limits!: readonly TokenLimits[];
}

/** Answer of `GET /v1/limits`. */
export class LimitsResponse {
  @ApiProperty() readonly result!: LimitsInUse;
}
