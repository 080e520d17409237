import { Inject, Injectable } from '@nestjs/common';
import type {
  AccessDecision,
  AccessRule,
  AccessSubject,
  ReservationSubject,
} from '@forecourt/policy/access';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { pino } from 'pino';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** Each rule is a time series of the metrics. */
const MAX_RULES = 1_000;

/** One decision of the access rules. */
export interface AuditedDecision {
  readonly requestId: string;
  readonly stage: 'reserve' | 'execute';
  readonly outcome: AccessDecision['outcome'] | 'undecided';
  /** Null: the policy decided, or a cap. */
  readonly rule: AccessRule | null;
  readonly subject: ReservationSubject | AccessSubject;
  /** The decision was not enforced. */
  readonly dryRun: boolean;
  /** The reason why there was no decision. */
  readonly reason?: string | undefined;
}

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

/** Counts the decisions of the access rules by rule; rules beyond `MAX_RULES` are counted together. */
function countDecisions(metrics: Metrics): (decision: AuditedDecision) => void {
  const decisions = metrics.counter<{ stage: string; outcome: string; rule: string }>({
    name: 'access_decisions_total',
    help: 'Decisions of the access rules: when, what, and by which rule.',
    labels: ['stage', 'outcome', 'rule'],
  });
  const rules = new Set<string>();
  return ({ stage, outcome, rule }) => {
    const name = rule?.name ?? 'none';
    if (rules.size < MAX_RULES) rules.add(name);
    decisions.add({ stage, outcome, rule: rules.has(name) ? name : 'others' });
  };
}

/** Appends lines of JSON to a file. It is opened again on SIGHUP, so that it can be rotated. */
function openAuditFile(file: string) {
  const destination = pino.destination({ dest: file, append: true, mkdir: true, sync: false });
  process.on('SIGHUP', () => destination.reopen());
  return pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
