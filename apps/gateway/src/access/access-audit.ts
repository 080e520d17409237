import type {
  AccessDecision,
  AccessRule,
  AccessSubject,
  ReservationSubject,
} from '@forecourt/policy/access';

/** One decision of the access rules. */
export interface AuditedDecision {
  readonly requestId: string;
  readonly stage: 'reserve' | 'execute';
  readonly outcome: AccessDecision['outcome'] | 'undecided';
  /** Null: the policy decided, or a cap. */
  readonly rule: AccessRule | null;
  readonly subject: ReservationSubject | AccessSubject;
  /** It was not enforced. */
  readonly dryRun: boolean;
  /** Why there was no decision. */
  readonly reason?: string | undefined;
}

/** Writes lines of JSON: the service's log, or a file. */
interface Lines {
  info(fields: object, message: string): void;
}

/** Keeps an account of every decision: which rule decided what about whom. */
export class AccessAudit {
  constructor(
    private readonly lines: Lines,
    /** Told of every decision as well. */
    private readonly onDecision: (decision: AuditedDecision) => void = () => undefined,
  ) {}

  write(decision: AuditedDecision): void {
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
    this.lines.info(fields, 'access decision');
    this.onDecision(decision);
  }
}

function describeTransaction({ transaction, reservationId }: AccessSubject) {
  const { digest, sender, gasBudget } = transaction;
  return { reservationId, digest, sender, gasBudget: String(gasBudget) };
}
