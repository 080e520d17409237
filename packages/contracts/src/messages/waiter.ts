import { IsIn } from 'class-validator';
import { type RequestType, requestTypes } from '../http/execute-tx.js';
import { describeOneOf } from '../validation/describe-one-of.js';
import { IsName } from '../validation/is-text.js';

/** A gateway process that waits for an outcome, with the request type of its client. */
export class Waiter {
  /** Id of the gateway process: names its reply channel. */
  @IsName()
  readonly gateway!: string;

  @IsIn(requestTypes, describeOneOf(requestTypes))
  readonly requestType!: RequestType;
}
