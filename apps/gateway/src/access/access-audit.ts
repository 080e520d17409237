import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type {
  AccessDecision,
  AccessRule,
  AccessSubject,
  ReservationSubject,
} from '@forecourt/policy/access';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger, LineFile, logFile, type Logger, LOGGER } from '@forecourt/runtime/service';
import { pino } from 'pino';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { openAuditFile } from './audit-file.js';

/** Each rule is a time series of the metrics. */
const MAX_RULES = 1_000;

/** The reservation and, once it is known, the transaction. */
type AuditedSubject = Pick<ReservationSubject, 'caller' | 'reservation'> & {
  readonly reservationId?: number;
  readonly transaction?: Pick<AccessSubject['transaction'], 'digest' | 'sender' | 'gasBudget'>;
};

/** One decision of the access rules. */
export interface AuditedDecision {
  readonly requestId: string;
  /** `executed`: the rule was asked again about the effects. */
  readonly stage: 'reserve' | 'build' | 'execute' | 'executed';
  readonly outcome: AccessDecision['outcome'] | 'undecided';
  /** Null: the policy decided, or a cap. */
  readonly rule: Pick<AccessRule, 'name' | 'line'> | null;
  readonly subject: AuditedSubject;
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
  readonly #isRequired: boolean;
  readonly #file: LineFile;
  readonly #lines: { info(fields: object, message: string): void };
  readonly #count: (decision: AuditedDecision) => void;

  /** Throws `Error` if the audit file cannot be opened. */
  constructor(
    @Inject(GATEWAY_CONFIG)
    { accessAuditFile, accessAuditRequired, accessRulesFile }: GatewayConfig,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#hasNothingToDecide = accessAuditFile === null && accessRulesFile === null;
    this.#isRequired = accessAuditRequired;
    this.#file = accessAuditFile ? openAuditFile(accessAuditFile, logger) : logFile();
    this.#lines = accessAuditFile
      ? pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, this.#file)
      : createLogger('gateway', 'info');
    this.#count = countDecisions(metrics);
    metrics.figures({
      name: 'access_audit_write_errors_total',
      help: 'Failed attempts to write the access audit.',
      kind: 'counter',
      read: () => [[{}, this.#file.errors]],
    });
  }

  /** Throws ACCESS_UNDECIDED while decisions cannot be written, if they have to be. */
  requireWritable(): void {
    if (!this.#isRequired || !this.#file.isFailing) return;
    const cause = new Error('the access audit cannot be written');
    throw new ForecourtError('ACCESS_UNDECIDED', '', { cause });
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
      ...describeTransaction(subject),
      ...(dryRun && { dryRun }),
      ...(reason !== undefined && { reason }),
    };
    this.#lines.info(fields, 'access decision');
  }
}

function describeTransaction({ transaction, reservationId }: AuditedSubject) {
  if (!transaction) return {};
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
  const missed = metrics.counter<{ outcome: string }>({
    name: 'access_forecasts_missed_total',
    help: 'Executed transactions whose balance changes are not as a forecast let rules assume, or not known.',
    labels: ['outcome'],
    known: [{ outcome: 'deny' }, { outcome: 'undecided' }],
  });
  const rules = new Set<string>();
  return ({ stage, outcome, rule }) => {
    if (stage === 'executed') missed.add({ outcome });
    const name = rule?.name ?? 'none';
    if (rules.size < MAX_RULES) rules.add(name);
    decisions.add({ stage, outcome, rule: rules.has(name) ? name : 'others' });
  };
}
