import type { WholeSponsorship } from '../../api/gateway-types.js';

type Entry = WholeSponsorship['timeline'][number];
type Step = Entry['event'] | 'refused';

/** One phase of a sponsorship: from a step to the next one. */
export interface Phase {
  readonly name: string;
  /** Whether somebody waited, or something was done. */
  readonly kind: 'waiting' | 'work';
  readonly from: number;
  /** Null: it goes on. */
  readonly to: number | null;
}

/** The phase that follows each step, until the next one. */
const after: Readonly<Record<Step, Pick<Phase, 'name' | 'kind'> | null>> = {
  reserved: { name: 'Reserved, waits for the application', kind: 'waiting' },
  claimed: { name: 'Queued, waits for an executor', kind: 'waiting' },
  begun: { name: 'Checked again and signed', kind: 'work' },
  submitted: { name: 'At the node', kind: 'work' },
  refused: { name: 'Refused, waits for the application', kind: 'waiting' },
  quarantined: { name: 'Quarantined, waits for the ledger', kind: 'waiting' },
  executed: null,
  expired: null,
  released: null,
};

/** How the time at the node ended, by the next step. */
const atNode: Readonly<Partial<Record<Step, string>>> = {
  executed: 'Executed by the node',
  refused: 'Refused by the ledger',
  quarantined: 'Submitted, not executed',
  submitted: 'Submitted, without an answer',
};

/** The phases between the steps of a timeline, in order. A step without duration has none. */
export function readTimeline(
  timeline: readonly Entry[],
  isOpen: boolean,
  refusals: readonly { readonly at: number }[] = [],
): readonly Phase[] {
  const steps: { readonly at: number; readonly event: Step }[] = [
    ...timeline,
    ...refusals.map(({ at }) => ({ at, event: 'refused' as const })),
  ];
  // Without refusals in the order of the record: clocks may differ.
  if (refusals.length > 0) steps.sort((a, b) => a.at - b.at);
  return steps.flatMap(({ at, event }, index) => {
    const next = steps[index + 1];
    const ended = event === 'submitted' && next && atNode[next.event];
    const phase = ended ? { name: ended, kind: 'work' as const } : after[event];
    if (phase === null || (next === undefined && !isOpen)) return [];
    return [{ ...phase, from: at, to: next?.at ?? null }];
  });
}

export interface Durations {
  readonly waitingMs: number;
  readonly workMs: number;
}

/** How long was waited and worked in all; a phase that goes on counts until now. */
export function sumPhases(phases: readonly Phase[], now: number): Durations {
  const sum = (wanted: Phase['kind']) =>
    phases
      .filter(({ kind }) => kind === wanted)
      .reduce((total, { from, to }) => total + Math.max(0, (to ?? now) - from), 0);
  return { waitingMs: sum('waiting'), workMs: sum('work') };
}
