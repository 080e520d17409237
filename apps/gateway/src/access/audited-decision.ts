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
  /** The decision was not enforced. */
  readonly dryRun: boolean;
  /** Why there was no decision. */
  readonly reason?: string | undefined;
}
