import { type ListOrder, listOrders, usageKeys } from '../history/history-messages.js';
import { sponsorshipStates, sponsorshipStatuses } from '../history/sponsorship.js';
import {
  AddressParameter,
  DigestParameter,
  IntegerParameter,
  ListParameter,
  OneOfParameter,
  TextParameter,
  TimeParameter,
} from './parameters.js';

/** Bounds of `limit`, and its default. */
export const RECORDS_LIMIT = { min: 1, max: 1_000, default: 50 } as const;
/** The longest time, in ms, for which a request may wait for an outcome. */
const MAX_WAIT_MS = 30_000;

/** The parameter `token`. */
export const TOKEN_PARAMETER = {
  maxLength: 64,
  format: [/^[\w.-]{1,64}$/, 'the name of a token,'],
} as const;
const IDENTIFIER = {
  maxLength: 128,
  format: [/^[A-Za-z_][A-Za-z0-9_]*$/, 'a Move identifier'],
} as const;
const CODE = {
  maxLength: 64,
  format: [/^[A-Z][A-Z0-9_]*$/, 'an error code, such as REFUSED_BY_LEDGER,'],
} as const;
/** The parameter `cursor`. */
export const CURSOR = {
  maxLength: 512,
  format: [/^[\w-]+$/, 'the next_cursor of a page'],
} as const;

/** Whose records, and of which time. */
class OwnersQuery {
  @TimeParameter('Earliest time of creation') readonly from?: string;
  @TimeParameter('Latest time of creation') readonly to?: string;
  @TextParameter(TOKEN_PARAMETER, 'Name of the token.') readonly token?: string;
  @AddressParameter('User of a user’s token.') readonly user?: string;
  @AddressParameter('Sender of the transaction.') readonly sender?: string;
  @AddressParameter('Address of the sponsor.') readonly sponsor?: string;
}

/** The filters of records, all of which must match. */
class RecordsQuery extends OwnersQuery {
  @OneOfParameter(['success', 'failure'], 'Outcome on the ledger.') readonly outcome?: string;
  @AddressParameter('Package that the transaction calls.') readonly package?: string;
  @TextParameter(IDENTIFIER, 'Module that the transaction calls.') readonly module?: string;
  @TextParameter(IDENTIFIER, 'Function that the transaction calls.') readonly function?: string;
  @DigestParameter('Digest of the transaction, base58 or base64.') readonly digest?: string;
  @TextParameter(CODE, 'Code of a refusal.') readonly error?: string;
}

const LimitParameter = () =>
  IntegerParameter(RECORDS_LIMIT.min, RECORDS_LIMIT.max, {
    description: 'The most records of the page.',
    default: RECORDS_LIMIT.default,
  });
const CursorParameter = () =>
  TextParameter(CURSOR, '`next_cursor` of the page before, for the same filters.');

/** Parameters of `GET /v1/sponsorships/count`. */
export class SponsorshipCountQuery extends RecordsQuery {
  @OneOfParameter(sponsorshipStatuses, 'Status of the sponsorship.') readonly status?: string;

  @OneOfParameter(
    sponsorshipStates,
    'State of the sponsorship: `executed` without those that `failed`, `expired` and `released` without those of which an execute was `refused`.',
  )
  readonly state?: string;
}

/** Parameters of `GET /v1/sponsorships`. */
export class SponsorshipsQuery extends SponsorshipCountQuery {
  @OneOfParameter(listOrders, 'What comes first; by default the newest.')
  readonly order?: ListOrder;

  @LimitParameter() readonly limit?: string;
  @CursorParameter() readonly cursor?: string;
}

/** Parameters of `GET /v1/refusals`. */
export class RefusalsQuery extends RecordsQuery {
  @IntegerParameter(400, 599, { description: 'HTTP status of the answer.' })
  readonly status?: string;

  @LimitParameter() readonly limit?: string;
  @CursorParameter() readonly cursor?: string;
}

/** Parameters of `GET /v1/access/decisions/missing`: at most a day. */
export class DecisionPeriodQuery {
  @TimeParameter('Earliest time of the decision') readonly from?: string;
  @TimeParameter('Its end') readonly to?: string;
  @TextParameter(TOKEN_PARAMETER, 'Name of the token.') readonly token?: string;
}

/** Parameters of `GET /v1/access/decisions`. */
export class DecisionsQuery extends DecisionPeriodQuery {
  @LimitParameter() readonly limit?: string;
  @CursorParameter() readonly cursor?: string;
}

/** Parameters of `GET /v1/usage`. */
export class UsageQuery extends OwnersQuery {
  @ListParameter(usageKeys, 'What has a row each, separated by commas; without it, one row.')
  readonly group_by?: string;

  @OneOfParameter(['json', 'csv'], 'Form of the answer; by default what `Accept` prefers.')
  readonly format?: string;
}

/** Parameters of `GET /v1/transactions/{digest}`. */
export class TransactionQuery {
  @IntegerParameter(0, MAX_WAIT_MS, {
    description: 'How long to wait for the end of the transaction, in ms.',
    default: 0,
  })
  readonly wait_ms?: string;
}
