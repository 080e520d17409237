import type { CommandKind, DecodedTransaction } from '@forecourt/ledger';
import type { AccessDecision } from './access-decision.js';
import { decideAccess } from './decide-access.js';
import type { AccessRules } from './access-rules.js';
import type { AccessSubject } from './access-subject.js';
import { AccessUndecided } from './access-undecided.js';
import { HookCaller } from './hooks/hook-caller.js';
import { readAccessRules } from './read-access-rules.js';
import type { KnownUsage } from './usage/usage-limit.js';

export const full = (digits: string) => `0x${digits.padStart(64, '0')}`;
export const ALICE = `0x${'01'.repeat(32)}`;
export const BOB = full('0b');
export const PACKAGE = `0x${'02'.repeat(32)}`;

export const call = (
  packageId: string,
  module = 'm',
  name = 'f',
  typeArguments: string[] = [],
  objects: string[] = [],
) => ({ packageId, module, function: name, typeArguments, objects });

export function transaction(more: Partial<DecodedTransaction> = {}): DecodedTransaction {
  const { moveCalls = [] } = more;
  const commandKinds: CommandKind[] =
    moveCalls.length > 0 ? moveCalls.map(() => 'MoveCall') : ['TransferObjects'];
  return {
    bytes: new Uint8Array(0),
    digest: 'D',
    sender: ALICE,
    gasOwner: BOB,
    gasPayment: [],
    gasPrice: 1_000n,
    gasBudget: 500_000n,
    expirationEpoch: null,
    ownedInputs: [],
    receivedInputs: [],
    sharedInputs: [],
    gasCoinUses: [],
    commandKinds,
    moveCalls,
    vectorTypes: [],
    packages: [],
    ...more,
  };
}

export function subject(
  of: Partial<DecodedTransaction> = {},
  more: Partial<AccessSubject> = {},
): AccessSubject {
  const about = transaction(of);
  return {
    caller: 'shop',
    reservation: { gasBudget: 2_000_000, durationSecs: 60 },
    time: new Date('2026-11-21T12:30:00Z'),
    sponsor: about.gasOwner,
    reservationId: 7,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    referenceGasPrice: 1_000n,
    transaction: about,
    largestCost: about.gasBudget,
    transactionJson: () => ({}),
    readArguments: () => Promise.reject(new AccessUndecided('not expected')),
    readBalanceChanges: () => Promise.resolve(null),
    header: () => undefined,
    ...more,
  };
}

export const file = (policy: string, rules: string) =>
  `access-controller:\n  access-policy: ${policy}\n  rules:\n${rules}`;

export const read = (text: string) => readAccessRules(text, '/rules/rules.yaml');

export function decide(
  rules: AccessRules,
  of: AccessSubject,
  used: Readonly<Record<string, bigint>> = {},
  hooks = new HookCaller(null),
): Promise<AccessDecision> {
  const known = new Map<string, KnownUsage>(
    Object.entries(used).map(([counter, amount]) => [counter, { used: amount, endsInMs: 1_000 }]),
  );
  return decideAccess(rules, of, {
    known,
    caps: rules.sponsorBudget,
    askHook: (hook) => hooks.ask(hook, of),
  });
}

/** Whether a file allows each transaction. */
export async function allowed(text: string, ...subjects: AccessSubject[]): Promise<boolean[]> {
  const rules = await read(text);
  const decisions = await Promise.all(subjects.map((one) => decide(rules, one)));
  return decisions.map(({ outcome }) => outcome === 'allow');
}

/** Decides in turn as if each allowed transaction spent its whole budget before the next decision. */
export async function spendInTurn(
  text: string,
  ...subjects: AccessSubject[]
): Promise<AccessDecision['outcome'][]> {
  const rules = await read(text);
  const used: Record<string, bigint> = {};
  const outcomes: AccessDecision['outcome'][] = [];
  for (const one of subjects) {
    const { outcome, checks } = await decide(rules, one, used);
    outcomes.push(outcome);
    if (outcome !== 'allow') continue;
    for (const { counter, amount, held } of checks) {
      if (held) used[counter] = (used[counter] ?? 0n) + amount;
    }
  }
  return outcomes;
}
