import { Link } from '@tanstack/react-router';
import type { Fleet, FleetTransaction } from '../../generated/gateway-types.js';
import { Badge } from '../../elements/badge.js';
import { Identifier, NONE } from '../../elements/facts.js';
import { Hint } from '../../elements/hint.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty } from '../../elements/states.js';
import { formatDuration } from '../../format/times.js';
import { nameEpoch, nameEpochEnd } from './epoch-end.js';
import { explainCoins } from './sponsor-states.js';

const tones = { claimed: 'neutral', executing: 'accent', quarantined: 'warn' } as const;

/** The transactions that bind coins: of each state those that have waited longest. */
export function InFlightPanel({ fleet }: { readonly fleet: Fleet }) {
  const { transactions, epoch, epoch_ends_at: ends } = fleet;
  const counts = fleet.sponsors.reduce(
    (sum, { reservations }) => sum + (reservations['quarantined'] ?? 0),
    0,
  );
  const note = `${counts} quarantined; ${nameEpoch(epoch, ends, Date.now())}`;
  return (
    <Panel title="In flight and in quarantine" note={note} flush>
      {transactions.length === 0 ? (
        <Empty title="No transaction is in flight" />
      ) : (
        <PlainTable<FleetTransaction>
          label="Transactions in flight"
          rows={transactions}
          keyOf={({ digest }) => digest}
          columns={[
            {
              name: 'State',
              render: ({ state }) => (
                <Hint text={explainCoins(state)}>
                  <Badge tone={tones[state]}>{state}</Badge>
                </Hint>
              ),
            },
            {
              name: 'Transaction',
              render: ({ digest, reservation_id: id }) => (
                <Link
                  to="/sponsorships/$id"
                  params={{ id: String(id) }}
                  className="hover:underline"
                >
                  <code className="font-mono text-xs">{digest.slice(0, 12)}…</code>
                </Link>
              ),
            },
            { name: 'Token', render: ({ caller }) => caller },
            {
              name: 'Age',
              numeric: true,
              render: ({ age_secs: age }) => formatDuration(age * 1_000),
            },
            { name: 'Gas coins', numeric: true, render: ({ coins }) => coins },
            {
              name: 'Reason and end',
              render: ({ quarantine }) => <Quarantine of={quarantine} fleet={fleet} />,
            },
            { name: 'Executor', render: ({ executor }) => executor ?? NONE },
          ]}
        />
      )}
    </Panel>
  );
}

function Quarantine({
  of,
  fleet,
}: {
  readonly of: FleetTransaction['quarantine'];
  readonly fleet: Fleet;
}) {
  if (of === null) return NONE;
  const { reason, ends_after_epoch: epoch, moved_on_by: digest } = of;
  return (
    <div className="max-w-xl">
      <p className="break-words">{reason}</p>
      <p className="text-xs text-soft">
        {epoch === null
          ? 'ends when the ledger excludes it'
          : `ends at the latest ${nameEpochEnd(epoch, fleet, Date.now())}`}
        {digest !== null && (
          <>
            , coins moved on by <Identifier id={digest} />
          </>
        )}
      </p>
    </div>
  );
}
