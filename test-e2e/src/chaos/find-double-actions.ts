import type { SponsoredCall } from './sponsored-call.js';

/**
 * Actions that happened twice: several of their transactions landed, or a transaction landed after the client
 * had replaced it because the gateway had reported a final refusal.
 */
export function findDoubleActions(
  calls: readonly SponsoredCall[],
  landed: ReadonlyMap<string, unknown>,
): string[] {
  return [...byAction(calls)].flatMap(([action, attempts]) => {
    const done = attempts.filter(({ digest }) => landed.has(digest));
    const replaced = attempts.slice(0, -1).filter(wasRefused);
    const happened = done.length > 1 || replaced.some((call) => done.includes(call));
    return happened
      ? [`${action}: ${attempts.map((call) => describe(call, done)).join(', then ')}`]
      : [];
  });
}

function byAction(calls: readonly SponsoredCall[]): Map<string, SponsoredCall[]> {
  const actions = new Map<string, SponsoredCall[]>();
  for (const call of calls) actions.set(call.action, [...(actions.get(call.action) ?? []), call]);
  return actions;
}

function wasRefused({ answers }: SponsoredCall): boolean {
  return answers.some(({ kind }) => kind === 'refused');
}

function describe(call: SponsoredCall, done: readonly SponsoredCall[]): string {
  const [answer] = call.answers;
  const told = answer?.kind === 'refused' ? `${answer.status} ${answer.error}` : answer?.kind;
  const outcome = done.includes(call) ? 'landed' : 'did not land';
  return `${call.digest} (${call.behaviour}) got "${told ?? 'nothing'}" and ${outcome}`;
}
