import {
  type AccessSubject,
  decideReservation,
  HookCaller,
  type ReservationSubject,
  type RuleSet,
  type UsageLimit,
  warnAboutRules,
} from '@forecourt/policy/access';
import { type Access, ForecourtError } from '@forecourt/contracts';
import type { Logger } from '@forecourt/runtime/service';
import {
  type AccessFiles,
  type Caller,
  CONFIGURED_CALLER,
  readAccessFiles,
  Tokens,
} from '@forecourt/policy/tokens';
import { type AccessPreview, previewAccess, type PreviewOptions } from './access-preview.js';
import { AccessQuestion } from './access-question.js';
import type { AccessAudit } from './access-audit.js';
import { describeAccess } from './describe-access.js';
import type { RefusedSubject } from '../http/answer-error.js';

/** The sources of tokens and rules. */
export interface AccessSettings {
  readonly tokens: readonly string[];
  readonly allowUnauthenticated: boolean;
  readonly tokensFile: string | null;
  readonly accessRulesFile: string | null;
  readonly hookSecret: string | null;
}

/** Identifies callers by their tokens, and decides by the access rules what may be sponsored. */
export class AccessPolicy {
  readonly #hooks: HookCaller;
  #files: AccessFiles;
  #tokens: Tokens;
  #described: Access | null = null;
  #reloads: Promise<void> = Promise.resolve();

  private constructor(
    private readonly settings: AccessSettings,
    private readonly audit: Pick<AccessAudit, 'requireWritable' | 'write'>,
    files: AccessFiles,
  ) {
    this.#hooks = new HookCaller(settings.hookSecret);
    this.#files = files;
    this.#tokens = this.tokensOf(files);
  }

  /** Throws `Error` naming the file and the line when tokens or rules cannot be used. */
  static async load(
    settings: AccessSettings,
    audit: Pick<AccessAudit, 'requireWritable' | 'write'>,
    logger: Pick<Logger, 'warn'>,
  ): Promise<AccessPolicy> {
    const files = await readAccessFiles(settings.tokensFile, settings.accessRulesFile);
    const policy = new AccessPolicy(settings, audit, files);
    policy.warn(logger);
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

  /** The caller of the token with this name; null: there is none. */
  callerNamed(name: string): Caller | null {
    const isConfigured = this.settings.tokens.length > 0 || this.settings.allowUnauthenticated;
    if (name === CONFIGURED_CALLER.name && isConfigured) return CONFIGURED_CALLER;
    return this.#files.tokens.find(({ caller }) => caller.name === name)?.caller ?? null;
  }

  /** Throws FORBIDDEN if the rules allow no transaction that could use the reservation, and adds the rule to `refusal`. */
  decideReservation(
    caller: Caller,
    subject: ReservationSubject,
    requestId: string,
    refusal: Pick<RefusedSubject, 'rule'>,
  ): void {
    const { rules } = this.#files;
    const { allowed, rule } = decideReservation(this.ruleSetOf(caller), subject);
    if (allowed) return;
    const outcome = 'deny';
    this.audit.write({ requestId, stage: 'reserve', outcome, rule, subject, dryRun: rules.dryRun });
    if (rules.dryRun) return;
    if (rule) refusal.rule = rule.name;
    const message = rule?.message ?? 'The access rules do not allow this reservation';
    throw new ForecourtError('FORBIDDEN', message);
  }

  /** Begins a decision about a transaction, by the current rules. */
  ask(caller: Caller, subject: AccessSubject, requestId: string): AccessQuestion {
    const { rules } = this.#files;
    return new AccessQuestion({
      rules,
      subject,
      requestId,
      audit: this.audit,
      hooks: this.#hooks,
      ruleSet: this.ruleSetOf(caller),
      caps: this.capsOf(caller),
    });
  }

  /** The decision that the rules would make about a transaction, with the counters' values from `readUsages`. */
  preview(
    caller: Caller,
    subject: AccessSubject,
    readUsages: PreviewOptions['readUsages'],
  ): Promise<AccessPreview> {
    const { rules } = this.#files;
    return previewAccess(subject, {
      ruleSet: this.ruleSetOf(caller),
      caps: this.capsOf(caller),
      dryRun: rules.dryRun,
      readUsages,
    });
  }

  /** Reads all files again; a file with a mistake changes nothing. Throws ACCESS_RULES_INVALID. */
  reload(logger: Pick<Logger, 'info' | 'warn'>): Promise<void> {
    // Reloads run one after another, so that the files that were read last are in force.
    const reload = this.#reloads.then(() => this.readAgain(logger));
    this.#reloads = reload.catch(() => undefined);
    return reload;
  }

  private async readAgain(logger: Pick<Logger, 'info' | 'warn'>): Promise<void> {
    const { tokensFile, accessRulesFile } = this.settings;
    try {
      this.#files = await readAccessFiles(tokensFile, accessRulesFile);
    } catch (cause) {
      throw new ForecourtError('ACCESS_RULES_INVALID', (cause as Error).message, { cause });
    }
    this.#tokens = this.tokensOf(this.#files);
    this.#described = null;
    const { policy, rules } = this.#files.rules;
    logger.info({ policy, rules: rules.length }, 'tokens and access rules reloaded');
    this.warn(logger);
  }

  /** Logs rules that may allow more than their author meant. */
  private warn(logger: Pick<Logger, 'warn'>): void {
    if (this.settings.accessRulesFile === null) return;
    for (const warning of warnAboutRules(this.#files.rules)) {
      logger.warn({ warning }, 'access rules may allow more than intended');
    }
  }

  private tokensOf({ tokens }: AccessFiles): Tokens {
    const { settings } = this;
    return new Tokens(settings.tokens, tokens, settings.allowUnauthenticated);
  }

  /** Limits that apply regardless of the rules: the token's budget and the sponsor's. */
  private capsOf({ budget }: Caller): readonly UsageLimit[] {
    return [...budget, ...this.#files.rules.sponsorBudget];
  }

  private ruleSetOf({ rules }: Caller): RuleSet {
    return rules ?? this.#files.rules;
  }
}
