import { type EventCursor, LedgerEvents } from '@forecourt/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { session } from '../../api/session.js';
import { STATION_URL } from '../../api/station-url.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Choice, Segments, TextInput } from '../../elements/fields.js';
import { Pause, Play } from '../../elements/icons.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loading } from '../../elements/states.js';
import {
  type Condition,
  type ConditionKind,
  conditions,
  criterionOf,
  eventKinds,
  filterOf,
  isShown,
} from './event-filter.js';
import { EventsFailure } from './events-failure.js';
import { IndexPanel } from './index-panel.js';
import { TransactionEventsList } from './transaction-events.js';
import { useLiveEvents } from './use-live-events.js';

const PAGE = 50;
/** Of everything: most of it is checkpoints, which are hidden. */
const LARGE_PAGE = 200;
/** Fewer shown events are completed with older pages by themselves, up to so many pages. */
const ENOUGH = 20;
const MOST_UNASKED = 5;
const FIRST: EventCursor | null = null;
const modes = { query: 'Query', live: 'Live' };
const kindOptions = Object.fromEntries(eventKinds.map((kind) => [kind, kind]));

const examples: Readonly<Record<ConditionKind, string>> = {
  all: '',
  EventType: '',
  MoveEvent: '0x…::module::Struct',
  Module: '0x…::module',
  Sender: '0x…',
  Object: '0x…',
  Transaction: 'Digest',
};

/** The ledger's events, as pages of the past or as they happen. */
export function EventsPage() {
  const { may } = useCaller();
  const [mode, setMode] = useState<keyof typeof modes>('query');
  const [condition, setCondition] = useState<Condition>({ kind: 'all', value: '' });
  const ledger = useMemo(
    () => new LedgerEvents({ url: STATION_URL, token: session.token ?? '' }),
    [],
  );
  const choose = (kind: string) =>
    setCondition({ kind: kind as ConditionKind, value: kind === 'EventType' ? 'MoveEvent' : '' });
  const json = mode === 'query' ? criterionOf(condition) : filterOf(condition);
  return (
    <Page
      title="Events"
      lead="What the ledger reports, through this gas station’s own interface."
      actions={<Segments label="Mode" options={modes} value={mode} onChoose={setMode} />}
    >
      <Panel title="Filter" note={mode === 'query' ? 'ledger_getEvents' : 'ledger_subscribeEvent'}>
        <div className="grid gap-3 md:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1.2fr)]">
          <Choice label="Condition" options={conditions} value={condition.kind} onChoose={choose} />
          {condition.kind === 'EventType' ? (
            <Choice
              label="Kind"
              options={kindOptions}
              value={condition.value}
              onChoose={(value) => setCondition({ ...condition, value })}
            />
          ) : (
            <TextInput
              label="Value"
              disabled={condition.kind === 'all'}
              placeholder={examples[condition.kind]}
              value={condition.value}
              onChange={({ target }) => setCondition({ ...condition, value: target.value })}
            />
          )}
          <div className="min-w-0">
            <p className="mb-1 text-xs font-medium text-soft">As JSON</p>
            <pre
              className="overflow-x-auto rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs whitespace-pre-wrap"
              tabIndex={0}
            >
              {json === null ? 'incomplete' : JSON.stringify(json)}
            </pre>
          </div>
        </div>
        {condition.kind === 'all' && (
          <label className="mt-3 inline-flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-(--accent)"
              checked={condition.checkpoints ?? false}
              onChange={({ target }) => setCondition({ ...condition, checkpoints: target.checked })}
            />
            Show checkpoints
          </label>
        )}
      </Panel>
      {may.reads && <IndexPanel />}
      {mode === 'query' ? (
        <PastEvents ledger={ledger} condition={condition} />
      ) : (
        <Live ledger={ledger} condition={condition} />
      )}
    </Page>
  );
}

interface ListProps {
  readonly ledger: LedgerEvents;
  readonly condition: Condition;
}

function PastEvents({ ledger, condition }: ListProps) {
  const criterion = criterionOf(condition);
  const query = useInfiniteQuery({
    queryKey: ['events', criterion],
    enabled: criterion !== null,
    retry: false,
    queryFn: ({ pageParam: cursor, signal }) =>
      ledger.readPage(criterion!, {
        descending: true,
        pageSize: condition.kind === 'all' ? LARGE_PAGE : PAGE,
        cursor,
        signal,
      }),
    initialPageParam: FIRST,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  const records = useMemo(
    () => data?.pages.flatMap((page) => page.data).filter((one) => isShown(condition, one)) ?? [],
    [data, condition],
  );
  const isSparse = records.length < ENOUGH && (data?.pages.length ?? 0) < MOST_UNASKED;
  useEffect(() => {
    if (isSparse && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [isSparse, hasNextPage, isFetching, error, fetchNextPage]);
  return (
    <Panel
      title="Past events"
      note="newest first"
      flush
      actions={
        <Button disabled={isFetching || criterion === null} onClick={() => void refetch()}>
          Refresh
        </Button>
      }
    >
      {error && <EventsFailure error={error} />}
      {data === undefined &&
        !error &&
        (criterion === null ? <Empty title="Complete the filter" /> : <Loading />)}
      {data !== undefined && records.length === 0 && !isFetching && (
        <Empty title={hasNextPage ? 'Nothing but checkpoints lately' : 'No event matches'} />
      )}
      <TransactionEventsList records={records} />
      {hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Panel>
  );
}

const states = {
  connecting: ['Connecting', 'neutral'],
  connected: ['Connected', 'good'],
  lost: ['Connection lost', 'warn'],
} as const;

function Live({ ledger, condition }: ListProps) {
  const [isPaused, setPaused] = useState(false);
  const filter = filterOf(condition);
  const { records, state, error } = useLiveEvents(ledger, isPaused ? null : filter);
  const [name, tone] = states[state];
  return (
    <Panel
      title="Live events"
      note="newest first"
      flush
      actions={
        <div className="flex items-center gap-3">
          {!isPaused && filter !== null && <Badge tone={tone}>{name}</Badge>}
          <Button onClick={() => setPaused(!isPaused)}>
            {isPaused ? <Play /> : <Pause />}
            {isPaused ? 'Follow' : 'Pause'}
          </Button>
        </div>
      }
    >
      {error && <EventsFailure error={error} />}
      {records.length === 0 && !error && (
        <Empty title={waiting(isPaused, filter !== null)}>
          {!isPaused &&
            filter !== null &&
            'Each sponsored transaction makes events and a checkpoint.'}
        </Empty>
      )}
      <TransactionEventsList records={records} />
    </Panel>
  );
}

function waiting(isPaused: boolean, isComplete: boolean): string {
  if (isPaused) return 'Paused';
  return isComplete ? 'Waiting for events' : 'Subscriptions have no such filter';
}
