import { readFileSync } from 'node:fs';
import {
  type AccessRules,
  decideAccess,
  InvalidAccessRules,
  readAccessRules,
} from '@forecourt/access-rules';
import { ForecourtError } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';
import type { Logger } from '@forecourt/service-host';

/** What is asked before a transaction is claimed. */
export interface AccessRequest {
  readonly caller: string;
  readonly transaction: DecodedTransaction;
}

const WITHOUT_RULES: AccessRules = { policy: 'disabled', rules: [] };

/** Decides what may be sponsored, by the rules of a file. Without a file everything that a valid token brings is allowed. */
export class AccessController {
  #rules: AccessRules;

  /** Throws `Error` naming the file when its rules cannot be used. */
  constructor(private readonly rulesFile: string | null) {
    this.#rules = readRules(rulesFile);
  }

  /** Throws FORBIDDEN when the rules deny. What they say does not leave the service but in its log. */
  async decide({ caller, transaction }: AccessRequest, logger: Logger): Promise<void> {
    const { allowed, rule } = decideAccess(this.#rules, transaction);
    if (allowed) return;
    const { digest, sender } = transaction;
    const reason = rule ? `the rule at line ${rule.line}` : 'the default policy';
    logger.info({ caller, digest, sender, reason }, 'the access rules deny a transaction');
    throw new ForecourtError('FORBIDDEN', 'The access rules do not allow this transaction');
  }

  /** Reads the whole file again; a mistake in it changes nothing. Throws ACCESS_RULES_INVALID. */
  async reload(logger: Logger): Promise<void> {
    try {
      this.#rules = readRules(this.rulesFile);
    } catch (cause) {
      throw new ForecourtError('ACCESS_RULES_INVALID', (cause as Error).message, { cause });
    }
    const { policy, rules } = this.#rules;
    logger.info({ policy, rules: rules.length }, 'access rules read again');
  }
}

function readRules(file: string | null): AccessRules {
  if (file === null) return WITHOUT_RULES;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`ACCESS_RULES_FILE cannot be read: ${(cause as Error).message}`, { cause });
  }
  try {
    return readAccessRules(text);
  } catch (cause) {
    if (!(cause instanceof InvalidAccessRules)) throw cause;
    throw new Error(`ACCESS_RULES_FILE, ${cause.message}`, { cause });
  }
}
