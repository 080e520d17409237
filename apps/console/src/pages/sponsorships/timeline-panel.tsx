import type { WholeSponsorship } from '../../generated/gateway-types.js';
import { Moment } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';
import { formatDuration } from '../../format/times.js';
import { describeEnd, type Phase, readTimeline, sumPhases } from './read-timeline.js';

const colours = { waiting: 'bg-strong', work: 'bg-accent' } as const;

/** The time of each phase: waiting is grey, work is coloured. */
export function TimelinePanel({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const now = Date.now();
  const phases = readTimeline(
    sponsorship.timeline,
    sponsorship.ended_at === null,
    sponsorship.refusals,
  );
  const { waitingMs, workMs } = sumPhases(phases, now);
  const note = `${formatDuration(waitingMs)} waiting, ${formatDuration(workMs)} work`;
  return (
    <Panel title="Timeline" note={note}>
      <ol className="flex flex-col">
        {phases.map((phase, index) => (
          <PhaseRow key={index} phase={phase} phases={phases} now={now} />
        ))}
        <End sponsorship={sponsorship} />
      </ol>
    </Panel>
  );
}

function PhaseRow({
  phase,
  phases,
  now,
}: {
  readonly phase: Phase;
  readonly phases: readonly Phase[];
  readonly now: number;
}) {
  const begin = phases[0]!.from;
  const end = phases.at(-1)!.to ?? now;
  const span = Math.max(1, end - begin);
  const to = phase.to ?? now;
  const left = ((phase.from - begin) / span) * 100;
  const width = ((to - phase.from) / span) * 100;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_4.5rem] items-center gap-x-4 py-1 md:grid-cols-[15rem_minmax(0,1fr)_5rem_8rem]">
      <span className="flex items-center gap-2">
        <span
          aria-hidden="true"
          className={`size-2 shrink-0 rounded-full ${colours[phase.kind]}`}
        />
        <span className="truncate">{phase.name}</span>
        <span className="sr-only">({phase.kind})</span>
      </span>
      <span
        aria-hidden="true"
        className="relative h-2.5 rounded-full bg-sunken max-md:order-last max-md:col-span-2"
      >
        <span
          className={`absolute inset-y-0 min-w-0.75 rounded-full ${colours[phase.kind]}`}
          style={{ left: `min(${left}%, calc(100% - 3px))`, width: `${width}%` }}
        />
      </span>
      <span className="figures text-right">{formatDuration(Math.max(0, to - phase.from))}</span>
      <span className="text-right text-xs text-soft max-md:hidden">
        <Moment at={phase.from} />
      </span>
    </li>
  );
}

function End({
  sponsorship: { timeline, ended_at: ended },
}: {
  readonly sponsorship: WholeSponsorship;
}) {
  const last = timeline.at(-1);
  const end = describeEnd(timeline);
  if (last === undefined || end === null || ended === null) return null;
  return (
    <li className="flex items-center justify-between gap-2 pt-1.5 text-soft">
      <span className="flex items-center gap-2">
        <span aria-hidden="true" className="size-2 rounded-full border border-strong" />
        {end}
      </span>
      <span className="text-xs">
        <Moment at={last.at} />
      </span>
    </li>
  );
}
