import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { MAX_TX_BYTES_LENGTH } from '../request-limits.js';
import {
  AMOUNT,
  Base64Field,
  BCS,
  DIGEST,
  FULL_ADDRESS,
  TEXT_OR_NULL,
  TextField,
  TIME,
} from './fields.js';
import { TOKEN_NAME } from './operator-actions.dto.js';

const roles = ['sponsor', 'operator', 'auditor'] as const;
type RoleName = (typeof roles)[number];
const ROLES: ApiPropertyOptions = {
  type: 'array',
  items: { enum: [...roles], type: 'string' },
  example: ['sponsor'],
};
const TEXTS = {
  type: 'array' as const,
  items: { type: 'string' as const },
  example: [] as string[],
};
const TIME_OR_NULL = { ...TIME, nullable: true, example: null } as const;

/** The caller of a token, and what a page needs to show its records. */
export class CallerInfo {
  @ApiProperty({ description: 'Name of the caller.', example: 'shop' }) readonly name!: string;
  @ApiProperty({ description: 'Name of the token’s entry.', example: 'shop' })
  readonly token!: string;
  @ApiProperty({
    ...FULL_ADDRESS,
    nullable: true,
    example: null,
    description: 'The user of a user’s token.',
  })
  readonly user!: string | null;
  @ApiProperty(ROLES) readonly roles!: readonly RoleName[];
  @ApiProperty({ description: 'Of the gateway.', example: '1.0.0-0123456789ab' })
  readonly version!: string;

  @ApiProperty({
    description: 'Of gas: amounts of the API are in its smallest unit, of 9 decimal places.',
    example: 'IOTA',
  })
  readonly currency!: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Address of a transaction in an explorer, with `{digest}` in its place.',
    example: null,
  })
  readonly explorer_url!: string | null;
}

/** Answer of `GET /v1/caller`. */
export class CallerResponse {
  @ApiProperty() readonly result!: CallerInfo;
}

/** A token, without anything from which it could be found. */
export class TokenInfo {
  @ApiProperty({ example: 'shop' }) readonly name!: string;
  @ApiProperty(ROLES) readonly roles!: readonly RoleName[];
  @ApiProperty({ ...TIME_OR_NULL, description: 'The last of its hashes or keys; null: never.' })
  readonly expires_at!: number | null;
  @ApiProperty({ description: 'It signs tokens for users.', example: false })
  readonly is_for_users!: boolean;
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: the general rules.', example: null })
  readonly rule_set!: string | null;
  @ApiProperty({
    ...TEXTS,
    description: 'Limits of its entry, in words; the defaults apply to others.',
  })
  readonly limits!: readonly string[];
}

export class AccessRuleInfo {
  @ApiProperty({ example: 'friends' }) readonly name!: string;
  @ApiProperty({ type: 'integer', example: 6 }) readonly line!: number;
  @ApiProperty({ enum: ['allow', 'deny', 'hook'] }) readonly action!: 'allow' | 'deny' | 'hook';
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Address of the hook, without its query.',
    example: null,
  })
  readonly hook!: string | null;
  @ApiProperty({ ...TEXTS, example: ['sender-address: *'] })
  readonly conditions!: readonly string[];
  @ApiProperty(TEXTS) readonly limits!: readonly string[];
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Shown to a denied user.', example: null })
  readonly message!: string | null;
}

export class RuleSetInfo {
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: the general rules.', example: null })
  readonly name!: string | null;
  @ApiProperty({
    enum: ['disabled', 'allow-all', 'deny-all'],
    description: 'Decides if no rule does.',
  })
  readonly policy!: 'disabled' | 'allow-all' | 'deny-all';
  @ApiProperty({ type: [AccessRuleInfo], example: [] }) readonly rules!: readonly AccessRuleInfo[];
}

/** Tokens and access rules of the gateway that answers. */
export class Access {
  @ApiProperty({
    description: 'Hash of tokens and rules: the same at gateways that use the same.',
    example: '0f1e2d3c4b5a',
  })
  readonly version!: string;
  @ApiProperty({ description: 'Decisions are logged, and not enforced.', example: false })
  readonly dry_run!: boolean;
  @ApiProperty({ type: [TokenInfo] }) readonly tokens!: readonly TokenInfo[];
  @ApiProperty({ type: [RuleSetInfo] }) readonly rules!: readonly RuleSetInfo[];
  @ApiProperty({ ...TEXTS, description: 'Limits of each sponsor, whatever the rules say.' })
  readonly sponsor_budget!: readonly string[];
}

/** Answer of `GET /v1/access`. */
export class AccessResponse {
  @ApiProperty() readonly result!: Access;
}

/** Body of `POST /v1/explain_access`. */
export class ExplainAccessRequest {
  @TextField(TOKEN_NAME, { description: 'The token that would present it.', example: 'shop' })
  token!: string;

  @Base64Field(MAX_TX_BYTES_LENGTH, {
    description: 'The ledger’s `TransactionData`: BCS in base64.',
    example: BCS.example,
  })
  tx_bytes!: string;
}

class ExplainedRule {
  @ApiProperty({ example: 'friends' }) readonly rule!: string;
  @ApiProperty({ type: 'integer', example: 6 }) readonly line!: number;
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Why it does not decide; null: it does.',
    example: 'sender-address does not hold',
  })
  readonly skipped!: string | null;
}

class ExplainedTransaction {
  @ApiProperty(DIGEST) readonly digest!: string;
  @ApiProperty(FULL_ADDRESS) readonly sender!: string;
  @ApiProperty(AMOUNT) readonly gas_budget!: string;
  @ApiProperty({ ...TEXTS, example: [`MoveCall 0x${'0'.repeat(63)}2::clock::timestamp_ms`] })
  readonly commands!: readonly string[];
}

/** The decision of the access rules about a transaction, rule by rule. */
export class AccessExplanation {
  @ApiProperty({
    enum: ['allow', 'deny', 'limited', 'undecided'],
    description: '`undecided`: a hook, which is not called here, decides.',
  })
  readonly outcome!: 'allow' | 'deny' | 'limited' | 'undecided';
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'The rule that decides; null: the policy, or a limit.',
    example: null,
  })
  readonly rule!: string | null;
  @ApiProperty({ example: 'deny-all' }) readonly policy!: string;
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Of a refusal or an open decision.', example: null })
  readonly reason!: string | null;
  @ApiProperty({
    type: [ExplainedRule],
    description: 'In their order, up to the one that decides.',
  })
  readonly steps!: readonly ExplainedRule[];
  @ApiProperty() readonly transaction!: ExplainedTransaction;
}

/** Answer of `POST /v1/explain_access`. */
export class ExplainAccessResponse {
  @ApiProperty() readonly result!: AccessExplanation;
}
