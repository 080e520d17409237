import {
  decideReservation,
  type ReservationSubject,
  type RuleSet,
  type UsageLimit,
} from '@forecourt/policy/access';
import { type Access, ForecourtError } from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import { type AccessFiles, type Caller, CONFIGURED_CALLER, Tokens } from '@forecourt/policy/tokens';
import { type AccessSettings, readAccessSources, warnAbout } from './access-sources.js';
import type { AccessAudit } from './access-audit.js';
import { describeAccess, describeCounter } from './describe-access.js';
import type { RefusedSubject } from '../http/refused-subject.js';

/** The rules that are in force for one caller. */
export interface CallerRules {
  readonly ruleSet: RuleSet;
  /** Limits that apply regardless of the rules: the token's budget and the sponsor's. */
  readonly caps: readonly UsageLimit[];
  /**
   * Names the token in a refusal by one of its budgets; other caps are the sponsor's. `isShared`: by all
   * users of the token.
   */
  readonly budget: {
    readonly token: string;
    readonly isShared: boolean;
    readonly limits: readonly UsageLimit[];
  };
  /** The rules are only tried out and refuse nothing. */
  readonly dryRun: boolean;
  /** Whether a denial releases the transaction's reservation. */
  readonly releasesOnDenial: boolean;
}

/**
 * The tokens and the access rules that are in force. Identifies callers, and refuses reservations that no
 * transaction could use.
 */
export class AccessPolicy {
  #files: AccessFiles;
  #tokens: Tokens;
  #described: Access | null = null;
  #reloads: Promise<void> = Promise.resolve();

  private constructor(
    private readonly settings: AccessSettings,
    private readonly audit: AccessAudit,
    files: AccessFiles,
  ) {
    this.#files = files;
    this.#tokens = this.tokensOf(files);
  }

  /** Throws `Error` naming the file and the line when tokens or rules cannot be used. */
  static async load(
    settings: AccessSettings,
    audit: AccessAudit,
    logger: Logger,
  ): Promise<AccessPolicy> {
    const files = await readAccessSources(settings, logger);
    const policy = new AccessPolicy(settings, audit, files);
    warnAbout(files, settings, logger);
    return policy;
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  /** The files that tokens and rules were read from, with the version of each. */
  get versions(): AccessFiles['versions'] {
    return this.#files.versions;
  }

  /** Tokens and rules for people, without secrets. */
  describe(): Access {
    const { tokens, rules } = this.#files;
    return (this.#described ??= describeAccess(tokens, rules, this.settings.tokens.length > 0));
  }

  /** Each token's caller, once. */
  get callers(): readonly Caller[] {
    const configured = this.settings.tokens.length > 0 ? [CONFIGURED_CALLER] : [];
    const all = [...configured, ...this.#files.tokens.map(({ caller }) => caller)];
    return [...new Map(all.map((caller) => [caller.name, caller])).values()];
  }

  /** The caller of the token with this name; null: there is none. */
  callerNamed(name: string): Caller | null {
    const isConfigured = this.settings.tokens.length > 0 || this.settings.allowUnauthenticated;
    if (name === CONFIGURED_CALLER.name && isConfigured) return CONFIGURED_CALLER;
    return this.#files.tokens.find(({ caller }) => caller.name === name)?.caller ?? null;
  }

  /** A reload replaces them for later transactions. */
  rulesOf({ rules, budget, token, sender }: Caller): CallerRules {
    const general = this.#files.rules;
    return {
      ruleSet: rules ?? general,
      caps: [...budget, ...general.sponsorBudget],
      budget: { token, isShared: sender !== null, limits: budget },
      dryRun: general.dryRun,
      releasesOnDenial: general.deniedReservation === 'free',
    };
  }

  /** As `describeCounter`, with the files that are in force. */
  describeCounter(counter: string): string | null {
    return describeCounter(this.#files, counter);
  }

  /** As `decideReservation`, but refuses nothing and writes no audit. */
  findSponsor(caller: Caller, subject: ReservationSubject): string | undefined {
    const { allowed, rule } = decideReservation(this.rulesOf(caller).ruleSet, subject);
    return allowed ? rule?.sponsors?.[0] : undefined;
  }

  /**
   * Returns the sponsor that the first rule names which could allow a transaction with the reservation;
   * undefined: it names none. Throws FORBIDDEN if the rules allow no such transaction, and adds the rule to
   * `refusal`.
   */
  decideReservation(
    caller: Caller,
    subject: ReservationSubject,
    requestId: string,
    refusal: Pick<RefusedSubject, 'rule'>,
  ): string | undefined {
    const { ruleSet, dryRun } = this.rulesOf(caller);
    const { allowed, rule } = decideReservation(ruleSet, subject);
    if (allowed) return rule?.sponsors?.[0];
    this.audit.write({ requestId, stage: 'reserve', outcome: 'deny', rule, subject, dryRun });
    if (dryRun) return undefined;
    if (rule) refusal.rule = rule.name;
    const message = rule?.message ?? 'The access rules do not allow this reservation';
    throw new ForecourtError('FORBIDDEN', message);
  }

  /** Reads all files again; a file with a mistake changes nothing. Throws ACCESS_RULES_INVALID. */
  reload(logger: Logger): Promise<void> {
    // Reloads run one after another, so that the files that were read last are in force.
    const reload = this.#reloads.then(() => this.readAgain(logger));
    this.#reloads = reload.catch(() => undefined);
    return reload;
  }

  private async readAgain(logger: Logger): Promise<void> {
    try {
      this.#files = await readAccessSources(this.settings, logger);
    } catch (cause) {
      throw new ForecourtError('ACCESS_RULES_INVALID', (cause as Error).message, { cause });
    }
    this.#tokens = this.tokensOf(this.#files);
    this.#described = null;
    const { policy, rules } = this.#files.rules;
    logger.info({ policy, rules: rules.length }, 'tokens and access rules reloaded');
    warnAbout(this.#files, this.settings, logger);
  }

  private tokensOf({ tokens }: AccessFiles): Tokens {
    const { settings } = this;
    return new Tokens(settings.tokens, tokens, settings.allowUnauthenticated);
  }
}
