import { IsIn, IsObject, ValidateIf } from 'class-validator';
import type { Waiter } from '../messages/waiter.js';
import { describeOneOf } from '../validation/describe-one-of.js';
import { IsDto } from '../validation/is-dto.js';
import { IsPositiveInteger } from '../validation/is-integer-between.js';
import { IsName, IsText, MAX_MESSAGE_LENGTH } from '../validation/is-text.js';

const outcomeKinds = ['executed', 'local', 'refused'] as const;

export type ExecutionOutcome =
  /** The effects are final; the ledger's own JSON. */
  | { readonly kind: 'executed'; readonly effects: Record<string, unknown> }
  /** Follows `executed`: the read node shows the transaction, or has not shown it in time. */
  | { readonly kind: 'local' }
  /** The ledger refused it; its own message. */
  | { readonly kind: 'refused'; readonly message: string };

/** The fields of every kind of outcome. */
class OutcomeFields {
  @IsIn(outcomeKinds, describeOneOf(outcomeKinds))
  readonly kind!: ExecutionOutcome['kind'];

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'executed')
  @IsObject()
  readonly effects?: Record<string, unknown>;

  @ValidateIf(({ kind }: OutcomeFields) => kind === 'refused')
  @IsText({ minLength: 0, maxLength: MAX_MESSAGE_LENGTH })
  readonly message?: string;
}

/** The outcome that an executor publishes over Redis to the waiting gateways. If it is lost, they ask the coin-pool. */
export class ExecutionReply {
  @IsPositiveInteger()
  readonly reservationId!: number;

  @IsName()
  readonly digest!: string;

  @IsPositiveInteger()
  readonly fence!: number;

  @IsDto(OutcomeFields)
  readonly outcome!: ExecutionOutcome;
}

/** The channel on which one gateway process receives outcomes. */
export function executionReplyChannel(gateway: Waiter['gateway']): string {
  return `fc:replies:${gateway}`;
}
