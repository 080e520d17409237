import { ApiProperty } from '@nestjs/swagger';
import {
  MAX_TX_BYTES_LENGTH,
  MAX_USER_SIG_LENGTH,
  type RequestType,
  requestTypes,
} from '../request-limits.js';
import {
  Base64Field,
  BooleanField,
  DtoField,
  IntegerField,
  OneOfField,
  RESERVATION_ID,
} from './fields.js';
import { TransactionEffects } from './transaction-effects.dto.js';

/** Parts of the answer in addition to the effects, by the names of the ledger's own API. */
export class ExecuteTxOptions {
  @BooleanField({ description: 'Return `events`.', optional: true }) showEvents?: boolean | null;

  @BooleanField({ description: 'Return `object_changes`.', optional: true })
  showObjectChanges?: boolean | null;

  @BooleanField({ description: 'Return `balance_changes`.', optional: true })
  showBalanceChanges?: boolean | null;

  @BooleanField({ description: 'Return `input`.', optional: true }) showInput?: boolean | null;
}

/** Body of `POST /v1/execute_tx`. */
export class ExecuteTxRequest {
  @IntegerField(1, Number.MAX_SAFE_INTEGER, {
    description: 'The reservation whose coins pay.',
    example: RESERVATION_ID.example,
  })
  reservation_id!: number;

  @Base64Field(MAX_TX_BYTES_LENGTH, { description: 'The transaction: BCS in base64.' })
  tx_bytes!: string;

  @Base64Field(MAX_USER_SIG_LENGTH, {
    description: 'The sender’s signature: base64 of flag, signature and public key.',
  })
  user_sig!: string;

  @OneOfField(requestTypes, {
    description:
      'Whether to wait until the effects are final, or also until the node that serves reads shows them.',
    example: 'waitForEffectsCert',
    optional: true,
  })
  requestType?: RequestType | null;

  @OneOfField(requestTypes, {
    description: 'Another spelling, which some clients send; `requestType` takes precedence.',
    optional: true,
  })
  request_type?: RequestType | null;

  @DtoField(ExecuteTxOptions, { description: 'More parts of the answer.', optional: true })
  options?: ExecuteTxOptions | null;
}

const PART = {
  required: false,
  nullable: true,
  description:
    'In the ledger’s own JSON, if `options` asks for it; null while the node that serves reads does not show the transaction.',
} as const;
const LIST = { ...PART, type: 'array', items: {} } as const;

/** Answer of `POST /v1/execute_tx`. */
export class ExecuteTxResponse {
  @ApiProperty({ description: 'The ledger’s own JSON, with every field.' })
  readonly effects!: TransactionEffects;

  @ApiProperty({ type: 'null' }) readonly error!: null;
  @ApiProperty(LIST) readonly events?: unknown;
  @ApiProperty(LIST) readonly object_changes?: unknown;
  @ApiProperty(LIST) readonly balance_changes?: unknown;
  @ApiProperty({ ...PART, type: Object }) readonly input?: unknown;
}
