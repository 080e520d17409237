import type { Logger } from '@forecourt/runtime/service';
import { partial, TemporaryFolder } from '@forecourt/testing/jest';
import type { AccessAudit, AuditedDecision } from './access-audit.js';
import { AccessPolicy } from './access-policy.js';

const settings = { tokens: ['token'], allowUnauthenticated: false, tokensFile: null };

/** A port without a listener. */
const HOOK = 'http://127.0.0.1:1/';

/** Rules of a file. */
export const DENY = `    - name: nobody\n      action: deny\n      message: not today\n`;
export const LIMIT = `    - name: few\n      action: allow\n      requests: { value: <=1, window: 1 h }\n`;
export const ASK_HOOK = `    - name: hooked\n      action: ${HOOK}\n`;
/** Stands beside them. */
export const DRY_RUN = '  dry-run: true\n';

/** A gateway's policy by a file of rules in this folder; `more` stands beside its rules. */
export async function aPolicy(folder: TemporaryFolder, policy: string, rules = '', more = '') {
  const written: AuditedDecision[] = [];
  const warnings: unknown[] = [];
  const write = (text: string) => folder.write('rules.yaml', text);
  const text = (itsPolicy: string) =>
    `access-controller:\n  access-policy: ${itsPolicy}\n${more}${rules && `  rules:\n${rules}`}`;
  const accessRulesFile = write(text(policy));
  const audit = partial<AccessAudit>({
    requireWritable: () => undefined,
    write: (decision) => void written.push(decision),
  });
  const logger = partial<Logger>({
    info: () => undefined,
    warn: (fields: unknown) => void warnings.push(fields),
  });
  const access = await AccessPolicy.load({ ...settings, accessRulesFile }, audit, logger);
  const outcomes = () => written.map(({ stage, outcome, rule }) => [stage, outcome, rule?.name]);
  return { access, audit, logger, outcomes, written, warnings, write, text };
}
