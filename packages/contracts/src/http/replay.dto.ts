import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsArrayOfDtos } from '../dto-validation.js';
import {
  AMOUNT,
  Base64Field,
  COUNT,
  DIGEST,
  FULL_ADDRESS,
  IntegerField,
  TextField,
} from './fields.js';
import { RESERVATION_ID, TEXT_OR_NULL, TIME } from './fields.js';
import { TOKEN_NAME } from './operator-actions.dto.js';

/** Longest rules in a request, in characters. */
export const MAX_RULES_LENGTH = 262_144;
/** Longest base64 of a file that the rules name. */
const MAX_FILE_LENGTH = 524_288;
const RULES = 'access-controller:\n  access-policy: deny-all\n';

/** A file that the rules name. */
export class RulesFile {
  @TextField({ maxLength: 1_000 }, { description: 'As the rules name it.', example: 'friends.txt' })
  path!: string;

  @Base64Field(MAX_FILE_LENGTH, { description: 'In base64.' }) content!: string;
}

function FilesField() {
  const documented: ApiPropertyOptions = {
    type: [RulesFile],
    required: false,
    nullable: true,
    description: 'The files that the rules name; the gateway reads no other ones for them.',
    example: [],
  };
  return applyDecorators(IsOptional(), IsArrayOfDtos(RulesFile), ApiProperty(documented));
}

/** Body of `POST /v1/access/replay`. */
export class ReplayAccessRequest {
  @TextField(
    { maxLength: MAX_RULES_LENGTH },
    { description: 'The proposed rules: the text of an `ACCESS_RULES_FILE`.', example: RULES },
  )
  rules!: string;

  @FilesField() files?: RulesFile[] | null;

  @IntegerField(0, Number.MAX_SAFE_INTEGER, {
    description: 'The beginning of the period, in milliseconds since 1970.',
    example: 1_760_000_000_000,
  })
  from!: number;

  @IntegerField(0, Number.MAX_SAFE_INTEGER, {
    description: 'Its end, exclusive; by default now.',
    optional: true,
  })
  to?: number | null;

  @TextField(TOKEN_NAME, { description: 'Only decisions for this token.', optional: true })
  token?: string | null;
}

/** `undecided`: a replay cannot tell, for the reason that it gives. */
export const replayedOutcomes = ['allow', 'deny', 'limited', 'undecided'] as const;
export type ReplayedOutcome = (typeof replayedOutcomes)[number];
const OUTCOME = { enum: [...replayedOutcomes], example: 'allow' };
const RULE = { ...TEXT_OR_NULL, description: 'Null: the policy, or a budget.', example: null };

/** The data of the event `progress`. */
export class ReplayProgress {
  @ApiProperty({ ...COUNT, description: 'Decisions that were read.' }) readonly records!: number;
  @ApiProperty({ ...TIME, description: 'The time of the last of them.' }) readonly at!: number;
}

/** A number of decisions, and their gas. */
export class ReplayedSum {
  @ApiProperty(COUNT) readonly count!: number;
  @ApiProperty({ ...AMOUNT, description: 'Charged by the ledger to those that were sponsored.' })
  readonly gas!: string;
  @ApiProperty({ ...AMOUNT, description: 'The maximum cost of those that were refused.' })
  readonly largest_cost!: string;
}

export class ReplayedChange extends ReplayedSum {
  @ApiProperty({ ...OUTCOME, description: 'Under the rules in force.' })
  readonly from!: ReplayedOutcome;
  @ApiProperty({ ...OUTCOME, description: 'Under the proposed rules.', example: 'deny' })
  readonly to!: ReplayedOutcome;
}

export class ReplayedRuleChange extends ReplayedChange {
  @ApiProperty(RULE) readonly from_rule!: string | null;
  @ApiProperty(RULE) readonly to_rule!: string | null;
}

export class ReplayedTokenChange extends ReplayedChange {
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Null: further tokens.', example: 'shop' })
  readonly token!: string | null;
}

export class ReplayedFunctionChange extends ReplayedChange {
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'A transaction counts in each function that it calls. Null: further functions.',
    example: `0x${'0'.repeat(63)}2::clock::timestamp_ms`,
  })
  readonly function!: string | null;
}

export class ReplayedDecision {
  @ApiProperty(OUTCOME) readonly outcome!: ReplayedOutcome;
  @ApiProperty(RULE) readonly rule!: string | null;
  @ApiProperty({ ...TEXT_OR_NULL, description: 'Why it is undecided.', example: null })
  readonly reason!: string | null;
}

/** A decision that would change. */
export class ReplayedExample {
  @ApiProperty(TIME) readonly at!: number;
  @ApiProperty({ example: 'shop' }) readonly token!: string;
  @ApiProperty({ ...FULL_ADDRESS, nullable: true, description: 'Null: a refused reservation.' })
  readonly sender!: string | null;
  @ApiProperty({ ...DIGEST, nullable: true }) readonly digest!: string | null;
  @ApiProperty({ ...RESERVATION_ID, nullable: true }) readonly reservation_id!: number | null;
  @ApiProperty({
    ...TEXT_OR_NULL,
    description: 'Path of its page in the console.',
    example: '/console/sponsorships/487777254309888',
  })
  readonly page!: string | null;
  @ApiProperty({ ...AMOUNT, nullable: true, description: 'Null: it was refused.' })
  readonly gas!: string | null;
  @ApiProperty(OUTCOME) readonly recorded!: ReplayedOutcome;
  @ApiProperty() readonly in_force!: ReplayedDecision;
  @ApiProperty() readonly proposed!: ReplayedDecision;
}

/** Decisions that change alike, the first hundred. */
export class ReplayedExamples {
  @ApiProperty(OUTCOME) readonly from!: ReplayedOutcome;
  @ApiProperty({ ...OUTCOME, example: 'deny' }) readonly to!: ReplayedOutcome;
  @ApiProperty({ type: [ReplayedExample] }) readonly data!: readonly ReplayedExample[];
}

export class UndecidedReason {
  @ApiProperty({ example: 'a hook decides' }) readonly reason!: string;
  @ApiProperty(COUNT) readonly in_force!: number;
  @ApiProperty(COUNT) readonly proposed!: number;
}

/** Records that a replay has to leave out. */
export class NotReplayable {
  @ApiProperty({ ...COUNT, description: 'Sponsored transactions of which too little is kept.' })
  readonly sponsorships!: number;
  @ApiProperty({ ...COUNT, description: 'The same of refused ones.' }) readonly refusals!: number;
  @ApiProperty({ ...COUNT, description: 'Refusals of which only the number is kept.' })
  readonly only_counted!: number;
}

/** The result of a replay. */
export class ReplayReport {
  @ApiProperty(TIME) readonly from!: number;
  @ApiProperty(TIME) readonly to!: number;
  @ApiProperty({ ...TEXT_OR_NULL, example: null }) readonly token!: string | null;
  @ApiProperty({ ...COUNT, description: 'Decisions that were made again.' })
  readonly decided!: number;
  @ApiProperty() readonly not_replayable!: NotReplayable;
  @ApiProperty({ ...COUNT, description: 'Those whose outcome would change.' })
  readonly changed!: number;
  @ApiProperty({ ...COUNT, description: 'Those with the same outcome by another rule.' })
  readonly by_another_rule!: number;
  @ApiProperty({
    ...COUNT,
    description: 'Those whose outcome under the rules in force is not the recorded one.',
  })
  readonly unlike_recorded!: number;
  @ApiProperty({ type: [ReplayedChange] }) readonly changes!: readonly ReplayedChange[];
  @ApiProperty({ type: [ReplayedRuleChange] }) readonly by_rule!: readonly ReplayedRuleChange[];
  @ApiProperty({ type: [ReplayedTokenChange] }) readonly by_token!: readonly ReplayedTokenChange[];
  @ApiProperty({ type: [ReplayedFunctionChange] })
  readonly by_function!: readonly ReplayedFunctionChange[];
  @ApiProperty({ type: [UndecidedReason], example: [] })
  readonly undecided!: readonly UndecidedReason[];
  @ApiProperty({ type: [ReplayedExamples] }) readonly examples!: readonly ReplayedExamples[];
  @ApiProperty({ type: [String], description: 'What the reader has to know.', example: [] })
  readonly notes!: readonly string[];
}

/** The data of the event `error`: the replay has ended without a result. */
@ApiExtraModels(ReplayProgress, ReplayReport)
export class ReplayFailure {
  @ApiProperty({ example: 'HISTORY_UNREACHABLE' }) readonly code!: string;
  @ApiProperty() readonly error!: string;
}
