import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { GatewayError } from '../../api/gateway-error.js';
import type { EventsIndex, EventsIndexHole } from '../../generated/gateway-types.js';
import { eventsIndexQuery } from '../../api/queries.js';
import { Badge } from '../../elements/badge.js';
import { Moment, NONE } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { groupDigits } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';

const count = (number: number) => groupDigits(String(number));

/** How far the index of events reaches, and its holes. */
export function IndexPanel() {
  const query = useQuery(eventsIndexQuery);
  const { error, data } = query;
  const isOff =
    data === undefined && error instanceof GatewayError && error.code === 'EVENTS_INDEX_OFF';
  return (
    <Panel title="Index" note="forecourt events backfill fills holes at once" flush>
      {isOff ? (
        <Empty title="The events service keeps no index">
          The nodes answer queries, as far as they have indexes. EVENTS_DATABASE_URL of the events
          services begins one.
        </Empty>
      ) : (
        <Loaded query={query} lines={3}>
          {(index) => (
            <>
              <div className="p-4">
                <State of={index} />
              </div>
              {index.holes.length > 0 && <Holes of={index.holes} />}
            </>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

function State({ of: index }: { readonly of: EventsIndex }) {
  const { first_checkpoint: first, last_checkpoint: last, last_at: time, writer } = index;
  const others = index.other_ledger_nodes;
  const { node_checkpoint: newest, lag_checkpoints: lag, missing_checkpoints: missing } = index;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-3 xl:grid-cols-6">
      <IndexFact name="Checkpoints">
        {first === null || last === null ? 'none yet' : `${count(first)} to ${count(last)}`}
      </IndexFact>
      <IndexFact name="Last checkpoint">
        {time === null ? NONE : <Moment at={time} age />}
      </IndexFact>
      <IndexFact name="Behind the nodes">
        {others.length > 0 ? (
          <Badge tone="bad">{`${others.join(', ')}: another ledger`}</Badge>
        ) : newest === null ? (
          <Badge tone="warn">unknown: no node answers</Badge>
        ) : lag === null ? (
          NONE
        ) : (
          `${count(lag)} checkpoints`
        )}
      </IndexFact>
      <IndexFact name="Missing">
        {missing === 0 ? 'nothing' : <Badge tone="warn">{`${count(missing)} checkpoints`}</Badge>}
      </IndexFact>
      <IndexFact name="Size">{`${count(Math.ceil(index.bytes / 1_048_576))} MiB`}</IndexFact>
      <IndexFact name="Writer">
        {writer ?? <Badge tone="warn">none: nothing is added</Badge>}
      </IndexFact>
    </dl>
  );
}

function IndexFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

const reasons: Readonly<Record<EventsIndexHole['reason'], string>> = {
  waiting: 'still to be read',
  pruned: 'every ledger node has pruned them',
  inconvertible: 'no ledger node can show them',
  gap: 'no ledger node delivers them',
};

function Holes({ of: holes }: { readonly of: readonly EventsIndexHole[] }) {
  return (
    <PlainTable<EventsIndexHole>
      label="Holes of the index"
      rows={holes}
      keyOf={({ first_checkpoint: first }) => String(first)}
      columns={[
        {
          name: 'Checkpoints',
          render: ({ first_checkpoint: first, last_checkpoint: last }) =>
            `${count(first)} to ${count(last)}`,
        },
        {
          name: 'Reason',
          render: ({ reason, detail }) => (
            <>
              <p>{reasons[reason]}</p>
              {detail !== '' && <p className="text-xs break-words text-soft">{detail}</p>}
            </>
          ),
        },
        { name: 'Attempts', numeric: true, render: ({ attempts }) => count(attempts) },
        {
          name: 'Next attempt',
          numeric: true,
          render: ({ retry_secs: secs }) =>
            secs === 0 ? 'now' : `in ${formatDuration(secs * 1_000)}`,
        },
      ]}
    />
  );
}
