import type { Ledger } from '@forecourt/ledger';
import type { AccessRules } from '@forecourt/policy/access';

const CONDITION = 'move-call-function';
const NAMED = /(0x[0-9a-f]+)::(\w+)::(\w+)/gi;
/** Each may cost a read. */
const MOST_FUNCTIONS = 100;

/**
 * One sentence for each function that a rule names and the ledger does not have: calls of it never come.
 * Rejects with `LedgerUnreachable`.
 */
export async function warnAboutFunctions(
  { rules, ruleSets }: Pick<AccessRules, 'rules' | 'ruleSets'>,
  ledger: Pick<Ledger, 'hasFunction' | 'normalizeAddress'>,
): Promise<string[]> {
  const named = [...rules, ...[...ruleSets.values()].flatMap((ruleSet) => ruleSet.rules)].flatMap(
    ({ line, conditions }) =>
      conditions
        .filter(({ name }) => name === CONDITION)
        .flatMap(({ text }) => [...text.matchAll(NAMED)].map((parts) => ({ line, parts }))),
  );
  const warnings: string[] = [];
  for (const { line, parts } of named.slice(0, MOST_FUNCTIONS)) {
    const [text, address, module, name] = parts as unknown as [string, string, string, string];
    const packageId = ledger.normalizeAddress(address);
    if (await ledger.hasFunction({ packageId, module, function: name })) continue;
    warnings.push(
      `rule at line ${line}: its ${CONDITION} names ${text}, which the ledger does not have; compare the package, the module and the function with the published ones`,
    );
  }
  return warnings;
}
