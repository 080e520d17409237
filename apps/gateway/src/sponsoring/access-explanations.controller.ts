import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type AccessExplanation, ForecourtError, MAX_TRANSACTION_BODY } from '@forecourt/contracts';
import { ExplainAccessRequest, ExplainAccessResponse } from '@forecourt/contracts/http';
import type { DecodedTransaction, Ledger } from '@forecourt/ledger';
import { describeTransaction } from '@forecourt/sponsorship';
import { LEDGER } from '@forecourt/runtime/ledger';
import { MostBodyBytes } from '@forecourt/runtime/service';
import type { Caller } from '@forecourt/policy/tokens';
import type { FastifyRequest } from 'fastify';
import { AccessPolicy } from '../access/access-policy.js';
import type { AccessPreview } from '../access/access-preview.js';
import { Admission, ErrorCodes, READERS, RequireRole } from '../access/route-declaration.js';
import { TransactionDecisions } from './transaction-decisions.js';
import { decodeTxBytes } from './transaction-fields.js';
import { RequestCaller } from '../access/request-caller.js';

const DURATION_SECS = 60;

@ApiTags('Operation')
@Controller('/v1')
export class AccessExplanationsController {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly decisions: TransactionDecisions,
  ) {}

  @Post('explain_access')
  @HttpCode(200)
  @RequireRole(READERS)
  @Admission('records')
  @MostBodyBytes(MAX_TRANSACTION_BODY)
  @ErrorCodes(
    'INVALID_TRANSACTION_BYTES',
    'TRANSACTION_UNKNOWN',
    'PAUSED',
    'POOL_REFUSED',
    'LEDGER_UNREACHABLE',
    'LEDGER_ANSWER_INVALID',
  )
  @ApiOperation({
    operationId: 'explainAccess',
    summary: 'The decision of the access rules about a transaction, rule by rule',
    description:
      'As if the token presented it now, with the current values of its limits. No hook is called, and nothing is counted, reserved or signed.',
  })
  @ApiOkResponse({ description: 'The decision.', type: ExplainAccessResponse })
  async explain(
    @Body() { token, tx_bytes: text }: ExplainAccessRequest,
    @Req() request: FastifyRequest,
    @RequestCaller() payer: Caller,
  ): Promise<ExplainAccessResponse> {
    const caller = this.policy.callerNamed(token);
    if (caller === null) throw new ForecourtError('TRANSACTION_UNKNOWN', `token ${token}`);
    const transaction = decodeTxBytes(this.ledger, text);
    const preview = await this.decisions.preview(caller, {
      transaction,
      sponsor: transaction.gasOwner,
      durationSecs: DURATION_SECS,
      mayLeaveDust: true,
      reservationId: 0,
      payer,
      header: (name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? value : undefined;
      },
    });
    const { commands } = describeTransaction(this.ledger, text);
    return { result: explainPreview(transaction, commands, preview) };
  }
}

function explainPreview(
  { digest, sender, gasBudget }: DecodedTransaction,
  commands: readonly string[],
  { refusal, undecided, rule, policy, steps }: AccessPreview,
): AccessExplanation {
  return {
    outcome: undecided === null ? outcomeOf(refusal) : 'undecided',
    rule,
    policy,
    reason: refusal?.message ?? undecided,
    steps: steps.map(({ rule: { name, line }, skipped }) => ({ rule: name, line, skipped })),
    transaction: { digest, sender, gas_budget: String(gasBudget), commands },
  };
}

function outcomeOf(refusal: ForecourtError | null): AccessExplanation['outcome'] {
  if (refusal === null) return 'allow';
  return refusal.code === 'FORBIDDEN' ? 'deny' : 'limited';
}
