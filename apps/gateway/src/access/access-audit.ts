import { Inject, Injectable } from '@nestjs/common';
import type { AccessSubject } from '@forecourt/policy/access';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { AuditedDecision } from './audited-decision.js';
import { countDecisions } from './count-decisions.js';
import { openAuditFile } from './open-audit-file.js';

/** Records every decision of the access rules as a line of JSON, in a file or in the log. */
@Injectable()
export class AccessAudit {
  /** Without rules and without an audit file, an allowed request gets no line. */
  readonly #hasNothingToDecide: boolean;
  readonly #lines: { info(fields: object, message: string): void };
  readonly #count: (decision: AuditedDecision) => void;

  constructor(
    @Inject(GATEWAY_CONFIG)
    {
      accessAuditFile,
      accessRulesFile,
    }: Pick<GatewayConfig, 'accessAuditFile' | 'accessRulesFile'>,
    metrics: Metrics,
  ) {
    this.#hasNothingToDecide = accessAuditFile === null && accessRulesFile === null;
    this.#lines = accessAuditFile
      ? openAuditFile(accessAuditFile)
      : createLogger('gateway', 'info');
    this.#count = countDecisions(metrics);
  }

  write(decision: AuditedDecision): void {
    this.#count(decision);
    const isAllowed = decision.outcome === 'allow' && decision.rule === null;
    if (!(this.#hasNothingToDecide && isAllowed)) this.writeLine(decision);
  }

  private writeLine(decision: AuditedDecision): void {
    const { requestId, stage, outcome, rule, subject, dryRun, reason } = decision;
    const { caller, reservation } = subject;
    const fields = {
      requestId,
      stage,
      outcome,
      caller,
      reservation,
      rule: rule?.name ?? null,
      line: rule?.line ?? null,
      ...('transaction' in subject && describeTransaction(subject)),
      ...(dryRun && { dryRun }),
      ...(reason !== undefined && { reason }),
    };
    this.#lines.info(fields, 'access decision');
  }
}

function describeTransaction({ transaction, reservationId }: AccessSubject) {
  const { digest, sender, gasBudget } = transaction;
  return { reservationId, digest, sender, gasBudget: String(gasBudget) };
}
