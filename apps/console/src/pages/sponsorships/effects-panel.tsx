import { LedgerEvents } from '@forecourt/client';
import { useQuery } from '@tanstack/react-query';
import type { WholeSponsorship } from '../../generated/gateway-types.js';
import { LIVE_MS } from '../../api/queries.js';
import { session } from '../../api/session.js';
import { STATION_URL } from '../../api/station-url.js';
import { Badge, type Tone } from '../../elements/badge.js';
import { Identifier, NONE } from '../../elements/facts.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loading } from '../../elements/states.js';
import { shortenFunction } from '../../format/identifiers.js';
import { EventList } from '../events/event-list.js';
import { EventsFailure } from '../events/events-failure.js';
import { describeOwner, type Effects, type ObjectEffect, readEffects } from './read-effects.js';

/** The most events of a transaction that are shown. */
const MOST = 200;
/** The time after its end within which the events of a transaction may not show yet. */
const LATE_MS = 30_000;

const tones: Readonly<Record<ObjectEffect['change'], Tone>> = {
  Created: 'good',
  Transferred: 'accent',
  Deleted: 'bad',
  Published: 'accent',
};

/** The objects and events of an executed transaction, from the ledger: history does not keep effects. */
export function EffectsPanel({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const { digest, status, ended_at: endedAt } = sponsorship;
  const { data, error } = useQuery({
    queryKey: ['effects', digest],
    enabled: digest !== null && status === 'executed',
    retry: false,
    queryFn: async ({ signal }) => {
      const ledger = new LedgerEvents({ url: STATION_URL, token: session.token ?? '' });
      return ledger.readPage({ Transaction: digest! }, { pageSize: MOST, signal });
    },
    refetchInterval: ({ state }) => {
      const isLate = endedAt !== null && Date.now() - endedAt < LATE_MS;
      return isLate && (state.data?.data.length ?? 0) === 0 ? LIVE_MS : false;
    },
  });
  if (digest === null || status !== 'executed') return null;
  return (
    <Panel
      title="Effects"
      note={
        data?.nextCursor == null ? 'from the ledger’s events' : `the first ${MOST} of its events`
      }
      flush
    >
      {error && <EventsFailure error={error} />}
      {data === undefined && !error && <Loading lines={2} />}
      {data !== undefined && <Shown effects={readEffects(data.data)} />}
    </Panel>
  );
}

function Shown({ effects: { objects, emitted } }: { readonly effects: Effects }) {
  if (objects.length === 0 && emitted.length === 0) {
    return (
      <Empty title="No object was created, transferred or deleted, and no event emitted">
        Objects that only changed, such as the gas coins, have no event.
      </Empty>
    );
  }
  return (
    <>
      {objects.length > 0 && (
        <PlainTable
          label="Objects"
          rows={objects}
          keyOf={({ change, objectId }) => `${change} ${objectId}`}
          columns={[
            {
              name: 'Change',
              render: ({ change }) => <Badge tone={tones[change]}>{change}</Badge>,
            },
            { name: 'Object', render: ({ objectId }) => <Identifier id={objectId} kept={8} /> },
            {
              name: 'Type',
              render: ({ type }) =>
                type === null ? (
                  NONE
                ) : (
                  <code className="font-mono text-xs" title={type}>
                    {shortenFunction(type)}
                  </code>
                ),
            },
            { name: 'Owner', render: ({ owner }) => <OwnerCell owner={owner} /> },
          ]}
        />
      )}
      {emitted.length > 0 && <EventList records={emitted} />}
    </>
  );
}

function OwnerCell({ owner }: Pick<ObjectEffect, 'owner'>) {
  if (owner === null) return NONE;
  const { kind, id } = describeOwner(owner);
  return (
    <span className="whitespace-nowrap">
      {kind} {id !== null && <Identifier id={id} kept={8} />}
    </span>
  );
}
