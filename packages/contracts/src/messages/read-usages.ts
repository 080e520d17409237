import { IsArray, IsOptional } from 'class-validator';
import { IsArrayOfDtos } from '../validation/is-dto.js';
import { IsName } from '../validation/is-text.js';
import { CurrentUsage } from './claim-reservation.js';

/** `read-usages`. The current values of counters, which stay as they are. Throws INVALID_REQUEST, POOL_REFUSED, SPONSOR_DRAINED. */
export class ReadUsagesMessage {
  /** Absent: the pool's first. */
  @IsOptional()
  @IsName()
  readonly sponsor?: string;

  @IsArray()
  @IsName({ each: true })
  readonly counters!: readonly string[];
}

/** The reply to `read-usages`: in the order of the counters. */
export class ReadUsagesReply {
  /** The sponsor of the counters. */
  @IsName()
  readonly sponsor!: string;

  @IsArrayOfDtos(CurrentUsage)
  readonly usages!: readonly CurrentUsage[];
}
