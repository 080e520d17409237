import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsBase64Text } from '../validation/is-base64-text.js';
import { IsDto } from '../validation/is-dto.js';
import { IsIntegerBetween } from '../validation/is-integer-between.js';
import { describeOneOf } from '../validation/describe-one-of.js';

export const requestTypes = ['waitForEffectsCert', 'waitForLocalExecution'] as const;
/** When execute answers: once the effects are final, or once the node that serves reads also shows them. */
export type RequestType = (typeof requestTypes)[number];
export const DEFAULT_REQUEST_TYPE: RequestType = 'waitForEffectsCert';

/** Longest base64 of a transaction that the ledger accepts (128 KiB of bytes). */
export const MAX_TX_BYTES_LENGTH = Math.ceil((128 * 1024) / 3) * 4;
/** Longest base64 of a signature; the largest schemes (multisig of zkLogin) stay far below. */
export const MAX_USER_SIG_LENGTH = 64 * 1024;

const oneOfRequestTypes = describeOneOf(requestTypes);

/** Parts of the answer in addition to the effects, by the names of the ledger's own API. */
export class ExecuteTxOptions {
  @IsOptional()
  @IsBoolean()
  showEvents?: boolean | null;

  @IsOptional()
  @IsBoolean()
  showObjectChanges?: boolean | null;

  @IsOptional()
  @IsBoolean()
  showBalanceChanges?: boolean | null;

  @IsOptional()
  @IsBoolean()
  showInput?: boolean | null;
}

/** Body of `POST /v1/execute_tx`. `request_type` is the spelling that today's clients send. */
export class ExecuteTxRequest {
  @IsIntegerBetween(1, Number.MAX_SAFE_INTEGER)
  reservation_id!: number;

  @IsBase64Text(MAX_TX_BYTES_LENGTH)
  tx_bytes!: string;

  @IsBase64Text(MAX_USER_SIG_LENGTH)
  user_sig!: string;

  @IsOptional()
  @IsIn(requestTypes, oneOfRequestTypes)
  requestType?: RequestType | null;

  @IsOptional()
  @IsIn(requestTypes, oneOfRequestTypes)
  request_type?: RequestType | null;

  @IsOptional()
  @IsDto(ExecuteTxOptions)
  options?: ExecuteTxOptions | null;
}

/** Answer of `POST /v1/execute_tx`: the effects are the ledger's own JSON with all fields. */
export interface ExecuteTxResponse {
  readonly effects: Record<string, unknown>;
  readonly error: null;
  /**
   * The parts that `options` request, in the ledger's own JSON; null while the node that serves reads does not show the
   * transaction.
   */
  readonly events?: unknown;
  readonly object_changes?: unknown;
  readonly balance_changes?: unknown;
  readonly input?: unknown;
}
