import {
  type AccessDecision,
  type AccessRules,
  type AccessSubject,
  decideAccess,
  decideReservation,
  HookCaller,
  type RuleTrace,
} from '@forecourt/policy/access';
import { type DecodedTransaction, largestSponsorCost } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';

export interface ExplainRequest extends Pick<
  AccessSubject,
  'readArguments' | 'readBalanceChanges'
> {
  readonly transaction: DecodedTransaction;
  readonly transactionJson: () => unknown;
  readonly referenceGasPrice: bigint;
  readonly gasBudget: number;
  readonly durationSecs: number;
  /** Base64. */
  readonly txBytes: string;
  readonly askHooks: boolean;
  /** Whether the sender is an abstract account. */
  readonly isOfAbstractAccount: boolean;
}

/**
 * Explains rule by rule how the rules decide about a transaction, with all limits unused. Throws
 * `AccessUndecided`.
 */
export async function explainAccess(
  rules: AccessRules,
  caller: Caller,
  request: ExplainRequest,
): Promise<{ text: string; allowed: boolean }> {
  const { gasBudget, durationSecs, askHooks, ...rest } = request;
  const subject: AccessSubject = {
    caller: caller.name,
    reservation: { gasBudget, durationSecs },
    time: new Date(),
    sponsor: request.transaction.gasOwner,
    largestCost: largestSponsorCost(request.transaction, true),
    reservationId: 0,
    userSig: '',
    header: () => undefined,
    ...rest,
  };
  const ruleSet = caller.rules ?? rules;
  const hooks = new HookCaller(null);
  const steps: RuleTrace[] = [];
  const decision = await decideAccess(ruleSet, subject, {
    known: new Map(),
    caps: [...caller.budget, ...rules.sponsorBudget],
    askHook: (hook) =>
      askHooks
        ? hooks.ask(hook, subject)
        : Promise.resolve({ decision: 'noDecision', userMessage: null }),
    trace: (step) => steps.push(step),
  });
  const lines = [
    ...describeTransaction(subject),
    '',
    ...describeReservation(decideReservation(ruleSet, subject)),
    ...(ruleSet.policy === 'disabled'
      ? ['the rules are not evaluated: the policy is disabled']
      : []),
    ...steps.map((step) => describeStep(step, askHooks)),
    describeDecision(decision, ruleSet.policy),
    ...(subject.isOfAbstractAccount && !decision.allowsAbstractAccount
      ? ['(no rule allows an abstract account: it needs ALLOW_ABSTRACT_ACCOUNTS as well)']
      : []),
    ...(rules.dryRun ? ['(dry run: decisions are logged and not enforced)'] : []),
  ];
  return { text: lines.join('\n'), allowed: decision.outcome === 'allow' };
}

function describeTransaction(subject: AccessSubject): string[] {
  const { transaction, largestCost, caller, referenceGasPrice } = subject;
  const { digest, sender, gasBudget, gasPrice, commandKinds, moveCalls } = transaction;
  return [
    `transaction ${digest}`,
    `  sender      ${sender}${subject.isOfAbstractAccount ? ' (abstract account)' : ''}`,
    `  token       ${caller}`,
    `  gas budget  ${gasBudget}`,
    `  costs       at most ${largestCost}`,
    `  gas price   ${gasPrice} (reference ${referenceGasPrice})`,
    `  commands    ${commandKinds.join(', ')}`,
    ...moveCalls.map((call) => `  calls       ${call.packageId}::${call.module}::${call.function}`),
  ];
}

function describeReservation({ allowed, rule }: ReturnType<typeof decideReservation>): string[] {
  if (allowed) return [];
  return [`the reservation is denied already, by ${rule ? rule.name : 'the policy'}`];
}

function describeStep({ rule, skipped }: RuleTrace, askHooks: boolean): string {
  const { name, line, action, conditions, limits } = rule;
  const kind = typeof action === 'string' ? action : `ask ${action.url}`;
  const title = `rule ${name}${name === `line ${line}` ? '' : ` (line ${line})`}, ${kind}`;
  const conditionLines = conditions.map((one) => `    ${one.name}: ${one.text}`);
  const counted = limits.map(
    ({ counts, comparison: { operator, limit }, windowMs }) =>
      `    ${counts} used ${operator}${limit} in ${windowMs === null ? 'total' : `${windowMs / 1_000} s`}`,
  );
  const isUnasked = typeof action !== 'string' && !askHooks && skipped?.startsWith('the hook');
  const why = isUnasked ? 'the hook would be called here' : (skipped ?? 'MATCHES');
  return [title, ...conditionLines, ...counted, `  → ${why}`].join('\n');
}

function describeDecision({ outcome, rule, message }: AccessDecision, policy: string): string {
  const by = rule ? `by rule ${rule.name}` : outcome === 'limited' ? 'by a limit' : `by ${policy}`;
  const text = { allow: 'ALLOWED', deny: 'DENIED', limited: 'DENIED' }[outcome];
  return `${text} ${by}${message === null ? '' : `: ${message}`}`;
}
