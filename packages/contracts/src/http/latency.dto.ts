import { ApiProperty } from '@nestjs/swagger';
import {
  type LatencyFigures,
  type LatencyReport,
  type LatencyUnit,
  latencyUnits,
  type Percentiles,
} from '../history/latency-messages.js';
import { COUNT, TIME } from './fields.js';
import { OneOfParameter, TextParameter, TimeParameter } from './parameters.js';
import { TOKEN_PARAMETER } from './records-query.dto.js';

/** Parameters of `GET /v1/latency`. */
export class LatencyQuery {
  @TimeParameter('Earliest time of creation') readonly from?: string;
  @TimeParameter('Latest time of creation') readonly to?: string;
  @OneOfParameter(latencyUnits, 'What has a row each; `hour` by default.')
  readonly by?: LatencyUnit;
  @TextParameter(TOKEN_PARAMETER, 'Name of the token.') readonly token?: string;
}

/** Half, and 99 of 100 transactions, took at most as long. */
class LatencyPercentiles implements Percentiles {
  @ApiProperty({ ...COUNT, example: 310 }) readonly p50!: number;
  @ApiProperty({ ...COUNT, example: 900 }) readonly p99!: number;
}

const PERCENTILES = { type: LatencyPercentiles, nullable: true } as const;

class FiguresOfLatency implements LatencyFigures {
  @ApiProperty({ ...COUNT, description: 'Executed on the ledger.' })
  readonly transactions!: number;

  @ApiProperty({ ...PERCENTILES, description: 'From the claim of a transaction to its outcome.' })
  readonly latency_ms!: Percentiles | null;

  @ApiProperty({ ...PERCENTILES, description: 'From the claim until an executor began.' })
  readonly queue_ms!: Percentiles | null;
}

class LatencyRow extends FiguresOfLatency {
  @ApiProperty({ ...TIME, description: 'The beginning of the minute, hour or day, in UTC.' })
  readonly at!: number;
}

class LatencySummary implements LatencyReport {
  @ApiProperty(TIME) readonly from!: number;
  @ApiProperty(TIME) readonly to!: number;
  @ApiProperty({ enum: [...latencyUnits], example: 'hour' }) readonly by!: LatencyUnit;

  @ApiProperty({ type: [LatencyRow], description: 'Those with transactions.' })
  readonly rows!: readonly LatencyRow[];

  @ApiProperty({ description: 'Of all transactions together.' })
  readonly total!: FiguresOfLatency;
}

/** Answer of `GET /v1/latency`. */
export class LatencyResponse {
  @ApiProperty() readonly result!: LatencySummary;
}
