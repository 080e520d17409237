import { ApiProperty } from '@nestjs/swagger';
import {
  type UsageCorrection,
  type UsageFigures,
  type UsageKey,
  usageKeys,
  type UsageReport,
  type UsageRow,
} from '../history/history-messages.js';
import { type RebuildCause, rebuildCauses } from '../history/sponsorship.js';
import { AMOUNT, COUNT, TIME } from './fields.js';

class Figures implements UsageFigures {
  @ApiProperty({ ...COUNT, description: 'Executed on the ledger.' })
  readonly transactions!: number;

  @ApiProperty({ ...COUNT, description: 'Of these, failed there.', example: 0 })
  readonly failed!: number;

  @ApiProperty({ ...COUNT, description: 'Refused requests.', example: 0 })
  readonly refused!: number;

  @ApiProperty({ ...AMOUNT, description: 'Net gas that the ledger charged.' })
  readonly gas!: string;
}

/** The keys of the grouping, and the figures. */
class FiguresByKey extends Figures implements UsageRow {
  @ApiProperty({ required: false, description: 'In UTC.', example: '2026-11' })
  readonly month?: string;

  @ApiProperty({ required: false, description: 'In UTC.', example: '2026-11-25' })
  readonly day?: string;

  @ApiProperty({ required: false, description: 'In UTC.', example: '2026-11-25T13' })
  readonly hour?: string;

  @ApiProperty({
    required: false,
    description: 'In UTC; without refused requests of which only the number by hour is kept.',
    example: '2026-11-25T13:05',
  })
  readonly minute?: string;

  @ApiProperty({ required: false }) readonly token?: string;
  @ApiProperty({ required: false }) readonly user?: string;
  @ApiProperty({ required: false }) readonly sender?: string;
  @ApiProperty({ required: false }) readonly sponsor?: string;
  @ApiProperty({ required: false }) readonly package?: string;
  @ApiProperty({ required: false }) readonly function?: string;

  @ApiProperty({
    required: false,
    description: 'Error code of what was refused: rows with it count nothing else.',
    example: 'REQUEST_LIMIT',
  })
  readonly code?: string;
}

class Correction implements UsageCorrection {
  @ApiProperty({ enum: rebuildCauses }) readonly cause!: RebuildCause;

  @ApiProperty({ ...COUNT, description: 'They are in the rows and in the total.' })
  readonly transactions!: number;

  @ApiProperty({ ...AMOUNT, description: 'Their gas, which is in the rows and in the total.' })
  readonly gas!: string;

  @ApiProperty({
    ...AMOUNT,
    description:
      'What funds have lost in transactions that the ledger no longer had; in no row and not in the total.',
  })
  readonly unexplained!: string;
}

class UsageSummary implements UsageReport {
  @ApiProperty(TIME) readonly from!: number;
  @ApiProperty(TIME) readonly to!: number;

  @ApiProperty({ type: 'array', items: { enum: [...usageKeys] }, example: ['day'] })
  readonly group_by!: readonly UsageKey[];

  @ApiProperty({ type: [FiguresByKey] }) readonly rows!: readonly UsageRow[];

  @ApiProperty({
    description: 'A transaction counts once, also if it has rows of several packages or functions.',
  })
  readonly total!: Figures;

  @ApiProperty({
    type: [Correction],
    description:
      'What was recorded from the ledger later. Only for operators and auditors, and without filters but time and `sponsor`.',
    example: [],
  })
  readonly corrections!: readonly UsageCorrection[];
}

/** Answer of `GET /v1/usage`. */
export class UsageResponse {
  @ApiProperty() readonly result!: UsageSummary;
}
