import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SponsorshipSummary } from '../../generated/gateway-types.js';
import { Coins, Moment, NONE } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { Calls, State } from '../sponsorships/sponsorship-cells.js';
import { beginOf } from '../usage/usage-periods.js';
import { type OverviewPeriod, overviewPeriods, periodsInWords } from './overview-periods.js';

const MOST = 8;

/** The newest sponsorships of a time. */
export function RecentPanel({
  period,
  query,
}: {
  readonly period: OverviewPeriod;
  readonly query: UseQueryResult<readonly SponsorshipSummary[]>;
}) {
  const from = beginOf(overviewPeriods[period], Date.now());
  return (
    <Panel
      title="Newest sponsorships"
      note={periodsInWords[period]}
      flush
      actions={
        <Link
          to="/sponsorships"
          search={{ period }}
          className="text-accent underline-offset-2 hover:underline"
        >
          All
        </Link>
      }
    >
      <Loaded query={query}>
        {(newest) => {
          const recent = newest.filter(({ created_at: time }) => time >= from);
          return recent.length === 0 ? (
            <Empty title={`Nothing was sponsored in the ${periodsInWords[period]}`} />
          ) : (
            <PlainTable
              label="Newest sponsorships"
              rows={recent.slice(0, MOST)}
              keyOf={(row) => String(row.reservation_id)}
              columns={[
                { name: 'Time', render: ({ created_at: time }) => <Moment at={time} /> },
                { name: 'State', render: (row) => <State of={row} /> },
                { name: 'Calls', render: (row) => <Calls of={row} /> },
                { name: 'Token', render: ({ token }) => token },
                {
                  name: 'Gas',
                  numeric: true,
                  render: ({ gas }) => (gas === null ? NONE : <Coins amount={gas.net} />),
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}
