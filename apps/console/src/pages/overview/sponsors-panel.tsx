import type { UseQueryResult } from '@tanstack/react-query';
import type { FleetSponsor, Overview } from '../../generated/gateway-types.js';
import { Badge } from '../../elements/badge.js';
import { Coins, Identifier, Moment } from '../../elements/facts.js';
import { Hint } from '../../elements/hint.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';
import { describeProblems } from '../../format/problems.js';
import { CoinsBar } from '../pool/coins-bar.js';
import { RetiredSponsors } from '../pool/retired-sponsors.js';
import { RunsOut } from '../pool/runs-out.js';
import { drainStateOf, partSponsors, sponsorStates } from '../pool/sponsor-states.js';

/**
 * Each sponsor: balance, coins by state, spending, and when the gas runs out. Without an answer of the pool,
 * as it was.
 */
export function SponsorsPanel({ query }: { readonly query: UseQueryResult<Overview> }) {
  const { problems = [], sponsors_read_at: readAt = null } = query.data ?? {};
  const isOld = problems.some(({ part }) => part === 'sponsors');
  const note = isOld && readAt !== null && (
    <>
      as of <Moment at={readAt} />
    </>
  );
  return (
    <Panel title="Sponsors" flush {...(note && { note })}>
      <Loaded query={query}>
        {({ sponsors }) =>
          sponsors?.length ? (
            <Sponsors all={sponsors} />
          ) : (
            <Empty title={sponsors ? 'No sponsor' : 'The sponsors are unknown'}>
              {describeProblems(problems)}
            </Empty>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Sponsors({ all }: { readonly all: readonly FleetSponsor[] }) {
  const { inUse, retired } = partSponsors(all);
  return (
    <>
      {inUse.map((sponsor) => (
        <SponsorRow key={sponsor.sponsor_address} sponsor={sponsor} />
      ))}
      <RetiredSponsors sponsors={retired} />
    </>
  );
}

function SponsorRow({ sponsor }: { readonly sponsor: FleetSponsor }) {
  return (
    <article className="grid gap-4 border-b border-line p-4 last:border-0 lg:grid-cols-[16rem_1fr]">
      <div>
        <h3 className="flex items-center gap-2">
          <Identifier id={sponsor.sponsor_address} kept={6} />
          {sponsor.drain !== null && (
            <Hint text={sponsorStates[drainStateOf(sponsor)]}>
              <Badge tone="warn">{drainStateOf(sponsor)}</Badge>
            </Hint>
          )}
          {sponsor.suspended_secs !== null && <Badge tone="bad">suspended</Badge>}
        </h3>
        <p className="mt-1.5 text-lg font-semibold">
          <Coins amount={sponsor.balance} />
        </p>
        <Spending of={sponsor} />
      </div>
      <CoinsBar coins={sponsor.coins} />
    </article>
  );
}

function Spending({ of: sponsor }: { readonly of: FleetSponsor }) {
  return (
    <>
      <p className="text-xs text-soft">
        {sponsor.spending.day ? (
          <>
            <Coins amount={sponsor.spending.day.spent} /> spent in the last day
          </>
        ) : (
          'spending not observed yet'
        )}
      </p>
      <p className="text-xs text-soft">
        Gas runs out: <RunsOut sponsor={sponsor} />
      </p>
    </>
  );
}
