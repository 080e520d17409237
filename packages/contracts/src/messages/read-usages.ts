import { IsArray, IsOptional } from 'class-validator';
import { IsArrayOfDtos, IsName } from '../dto/index.js';
import { CurrentUsage, ExpectedUsage } from './usage-messages.js';

/**
 * `read-usages`. The current values of counters, which stay as they are. Throws INVALID_REQUEST,
 * POOL_REFUSED, SPONSOR_DRAINED.
 */
export class ReadUsagesMessage {
  /** Absent: the pool's first. */
  @IsOptional() @IsName() readonly sponsor?: string;
  @IsArray() @IsName({ each: true }) readonly counters!: readonly string[];

  /**
   * Of a transaction that is refused if one of these budgets has no room for it; such a budget is announced
   * as used up. Absent: nothing is announced.
   */
  @IsOptional() @IsArrayOfDtos(ExpectedUsage) readonly usage?: readonly ExpectedUsage[];
}

/** The reply to `read-usages`: in the order of the counters. */
export class ReadUsagesReply {
  /** The sponsor of the counters. */
  @IsName() readonly sponsor!: string;
  @IsArrayOfDtos(CurrentUsage) readonly usages!: readonly CurrentUsage[];
}
