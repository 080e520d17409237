import { IsObject, ValidateIf } from 'class-validator';
import {
  IsDto,
  IsName,
  IsOneOf,
  IsPositiveInteger,
  IsText,
  MAX_MESSAGE_LENGTH,
} from '../dto/index.js';
import type { TransactionEffects } from '../http/transaction-effects.dto.js';
import type { Waiter } from '../messages/find-reservation.js';

const outcomeKinds = ['executed', 'local', 'refused', 'unsigned'] as const;

export type ExecutionOutcome =
  /** The effects are final; the ledger's own JSON. */
  | { readonly kind: 'executed'; readonly effects: TransactionEffects }
  /** Follows `executed`: the read node shows the transaction, or has not shown it in time. */
  | { readonly kind: 'local' }
  /** The ledger refused it; its own message. */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * Not an end: the sponsor's key cannot sign at the moment. The transaction stays bound, and is tried again.
   */
  | { readonly kind: 'unsigned'; readonly retryAfterSecs: number };

/** The fields of every kind of outcome. */
class OutcomeFields {
  @IsOneOf(outcomeKinds) readonly kind!: ExecutionOutcome['kind'];

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'executed')
  @IsObject()
  readonly effects?: TransactionEffects;

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'refused')
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH })
  readonly message?: string;

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'unsigned')
  @IsPositiveInteger()
  readonly retryAfterSecs?: number;
}

/**
 * The outcome that an executor publishes over Redis to the waiting gateways. If it is lost, they ask the
 * coin-pool.
 */
export class ExecutionReply {
  @IsPositiveInteger() readonly reservationId!: number;
  @IsName() readonly digest!: string;
  @IsPositiveInteger() readonly fence!: number;
  @IsDto(OutcomeFields) readonly outcome!: ExecutionOutcome;
}

/** The channel on which one gateway process receives outcomes. */
export function executionReplyChannel(gateway: Waiter['gateway']): string {
  return `fc:replies:${gateway}`;
}
