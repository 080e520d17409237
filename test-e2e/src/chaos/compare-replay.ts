import { reportOf } from '../access/replayed-traffic.js';
import type { Application } from '../support/application.js';
import type { TestSystem } from '../support/test-system.js';
import { readAllSponsorships } from './compare-history.js';
import type { SponsoredCall } from './sponsored-call.js';

const FAILING_ALONE = `access-controller:
  access-policy: deny-all
  rules:
    - { name: failing, move-call-function: '0xdec0::garage::fail', action: allow }
`;
/** Allow every transaction of a run, and limit nothing. */
export const RULES = `${FAILING_ALONE}    - name: others
      sender-address: '*'
      gas-usage: { value: '<=1000000 IOTA', window: 1 day, count-by: [sender-address] }
      action: allow
`;

/** Longest list of examples in a report. */
const MOST_EXAMPLES = 100;

/**
 * Wrong answers of replays of a whole run, once everything is recorded or `withinMs` have passed: with the
 * rules in force nothing changes, and without one of them exactly its transactions do.
 */
export async function compareReplay(
  { application, until }: TestSystem,
  calls: readonly SponsoredCall[],
  withinMs: number,
): Promise<readonly string[]> {
  const failing = new Set(
    calls.filter(({ behaviour }) => behaviour === 'failing').map(({ digest }) => digest),
  );
  let differences: readonly string[] = [];
  const isSame = async () => {
    differences = await compare(application, failing).catch((error: unknown) => [String(error)]);
    return differences.length === 0;
  };
  await until(isSame, withinMs).catch(() => undefined);
  return differences;
}

async function compare(
  application: Application,
  failing: ReadonlySet<string>,
): Promise<readonly string[]> {
  const records = await readAllSponsorships(application);
  // The facts of a decision are lost with the claim.
  const replayable = records.filter(({ rebuilt }) => rebuilt === null);
  const decided = replayable.flatMap(({ digest }) => digest ?? []);
  const affected = decided.filter((digest) => !failing.has(digest));
  const same = await reportOf(application, { inForce: RULES, proposed: RULES, from: 0 });
  const without = await reportOf(application, {
    inForce: RULES,
    proposed: FAILING_ALONE,
    from: 0,
  });
  const named = without.examples.flatMap(({ data }) => data.map(({ digest }) => digest!));
  const counts = [
    ['decisions', same.decided, decided.length],
    [
      'decisions that cannot be replayed',
      same.not_replayable.sponsorships,
      records.length - replayable.length,
    ],
    ['changes by the same rules', same.changed + same.by_another_rule, 0],
    ['decisions unlike the recorded ones', same.unlike_recorded, 0],
    ['changes without a rule', without.changed, affected.length],
    ['examples of them', named.length, Math.min(affected.length, MOST_EXAMPLES)],
    ['examples of others', named.filter((digest) => failing.has(digest)).length, 0],
  ] as const;
  return counts
    .filter(([, count, expected]) => count !== expected)
    .map(([what, count, expected]) => `${what}: ${count} in place of ${expected}`);
}
