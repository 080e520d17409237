import { warnAboutLimits, warnAboutRules } from '@forecourt/policy/access';
import { type AccessFiles, readAccessFiles } from '@forecourt/policy/tokens';
import type { Logger } from '@forecourt/runtime/service';

/** The sources of tokens and rules. */
export interface AccessSettings {
  readonly tokens: readonly string[];
  readonly allowUnauthenticated: boolean;
  readonly tokensFile: string | null;
  readonly accessRulesFile: string | null;
}

/** Throws `Error` naming the file and the line. */
export function readAccessSources(
  { tokensFile, accessRulesFile }: AccessSettings,
  logger: Logger,
): Promise<AccessFiles> {
  return readAccessFiles(tokensFile, accessRulesFile, {
    onPrint: (text) => logger.info(text, 'a Rego policy has printed'),
  });
}

/** Logs rules that may allow more than their author meant, and limits that have no room. */
export function warnAbout(
  { rules, tokens }: AccessFiles,
  { accessRulesFile }: AccessSettings,
  logger: Logger,
): void {
  const budgets = new Map(tokens.map(({ caller }) => [caller.token, caller.budget]));
  for (const warning of warnAboutLimits(rules, budgets)) {
    logger.warn({ warning }, 'a limit has no room');
  }
  if (accessRulesFile === null) return;
  for (const warning of warnAboutRules(rules)) {
    logger.warn({ warning }, 'access rules may allow more than intended');
  }
}
