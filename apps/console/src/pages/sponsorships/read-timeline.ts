import type { WholeSponsorship } from '../../generated/gateway-types.js';

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

/** Whether the time after a step is spent waiting; a step that ends a sponsorship has none. */
const kinds: Readonly<Partial<Record<Step, Phase['kind']>>> = {
  reserved: 'waiting',
  claimed: 'waiting',
  begun: 'work',
  submitted: 'work',
  refused: 'waiting',
  quarantined: 'waiting',
};

/** The time after a step, by the step that ended it; `else`: by any other one, or none so far. */
const names: Readonly<
  Partial<Record<Step, { readonly else: string } & Readonly<Partial<Record<Step, string>>>>>
> = {
  reserved: {
    else: 'Waiting for the application',
    expired: 'Reserved and not used',
    released: 'Reserved and not used',
  },
  claimed: {
    else: 'Waiting for an executor',
    claimed: 'Queued, not taken up',
    expired: 'Queued, not taken up',
    released: 'Queued, not taken up',
  },
  begun: {
    else: 'Taken up by an executor',
    submitted: 'Checked and signed',
    refused: 'Checked, not submitted',
  },
  submitted: {
    else: 'At the node',
    executed: 'Executed by the ledger',
    refused: 'Refused by the ledger',
    quarantined: 'Not executed so far',
    submitted: 'Submitted, outcome unknown',
  },
  refused: { else: 'Refused, waiting for the application' },
  quarantined: { else: 'Quarantined, waiting for the ledger' },
};

/** The phases between the steps of a timeline, in order. A step without duration has none. */
export function readTimeline(
  timeline: readonly Entry[],
  isOpen: boolean,
  refusals: readonly { readonly at: number; readonly code: string }[] = [],
): readonly Phase[] {
  const steps: { readonly at: number; readonly event: Step }[] = [
    ...timeline,
    // A gateway may refuse another execute while the transaction is on its way, or before: that ends nothing.
    ...refusals
      .filter(({ code }) => code === 'REFUSED_BY_LEDGER')
      .map(({ at }) => ({ at, event: 'refused' as const })),
  ];
  // Without refusals in the order of the record: clocks may differ.
  if (steps.length > timeline.length) steps.sort((a, b) => a.at - b.at);
  return steps.flatMap(({ at, event }, index) => {
    const next = steps[index + 1];
    const kind = kinds[event];
    if (kind === undefined || (next === undefined && !isOpen)) return [];
    return [{ name: nameOf(steps, index), kind, from: at, to: next?.at ?? null }];
  });
}

function nameOf(steps: readonly { readonly event: Step }[], index: number): string {
  const { event } = steps[index]!;
  // The reservation of a transaction that was quarantined cannot be used again.
  if (event === 'refused' && isOutOfQuarantine(steps.slice(0, index))) {
    return 'Refused, waiting for its coins';
  }
  const next = steps[index + 1]?.event;
  const named = names[event]!;
  return (next && named[next]) ?? named.else;
}

function isOutOfQuarantine(steps: readonly { readonly event: Step }[]): boolean {
  const last = steps.findLast(({ event }) => event === 'claimed' || event === 'quarantined');
  return last?.event === 'quarantined';
}

/** The end of a timeline in words; null: it goes on, or has no step. */
export function describeEnd(timeline: readonly Entry[]): string | null {
  switch (timeline.at(-1)?.event) {
    case 'executed':
      return 'Settled, coins returned';
    case 'expired':
      return isOutOfQuarantine(timeline)
        ? 'Never executed, coins returned'
        : 'Deadline passed, coins returned';
    case 'released':
      return 'Released, coins returned';
    default:
      return null;
  }
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
