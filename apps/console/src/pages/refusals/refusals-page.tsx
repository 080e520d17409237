import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { explainError } from '../../api/explain-error.js';
import type { RefusalSummary } from '../../api/gateway-types.js';
import { refusalsQuery } from '../../api/queries.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Dialog } from '../../elements/dialog.js';
import { Fact, Facts, Identifier, Moment, NONE } from '../../elements/facts.js';
import { Choice, TextInput } from '../../elements/fields.js';
import { Page } from '../../elements/page.js';
import { PagedRows } from '../../elements/paged-rows.js';
import { Empty } from '../../elements/states.js';
import type { Column } from '../../elements/virtual-rows.js';
import { filtersOfPeriod, periodOptions } from '../sponsorships/list-periods.js';

const TEMPLATE =
  'grid-cols-[5.5rem_1fr] md:grid-cols-[7rem_minmax(9rem,1fr)_minmax(12rem,2fr)_minmax(12rem,2fr)_minmax(5rem,0.6fr)]';

const columnsWith = (
  open: (refusal: RefusalSummary) => void,
): readonly Column<RefusalSummary>[] => [
  { name: 'Time', render: ({ at }) => <Moment at={at} /> },
  {
    name: 'Code',
    className: 'max-md:hidden',
    render: ({ code, status }) => (
      <Badge tone={status >= 500 ? 'warn' : 'bad'}>
        <span title={code}>{code}</span>
      </Badge>
    ),
  },
  {
    name: 'Cause',
    render: (refusal) => (
      <>
        <button
          type="button"
          className="block max-w-full truncate text-left underline-offset-2 hover:underline"
          onClick={() => open(refusal)}
        >
          {explainError(refusal.code, refusal.message).cause}
        </button>
        <span className="block truncate text-2xs text-soft md:hidden">
          {refusal.token} · {refusal.code}
        </span>
      </>
    ),
  },
  {
    name: 'Message',
    className: 'text-soft max-md:hidden',
    render: ({ message }) => <span title={message}>{message}</span>,
  },
  { name: 'Token', className: 'max-md:hidden', render: ({ token }) => token },
];

/** Everything about one refusal. */
function Details({ refusal }: { readonly refusal: RefusalSummary }) {
  const { at, code, status, message, route, token, user, sender, rule, digest } = refusal;
  const { cause, remedy } = explainError(code, message);
  return (
    <div className="flex flex-col gap-3 p-5 pt-2">
      <p className="font-medium">{cause}</p>
      <p className="font-mono text-xs break-words">{message}</p>
      <p>{remedy}</p>
      <Facts>
        <Fact name="Code">
          {code}, status {status}
        </Fact>
        <Fact name="Time">
          <Moment at={at} />
        </Fact>
        <Fact name="Request">{route}</Fact>
        <Fact name="Token">{token}</Fact>
        <Fact name="Rule">{rule ?? NONE}</Fact>
        {user !== null && (
          <Fact name="User">
            <Identifier id={user} whole />
          </Fact>
        )}
        <Fact name="Sender">{sender === null ? NONE : <Identifier id={sender} whole />}</Fact>
        <Fact name="Digest">{digest === null ? NONE : <Identifier id={digest} whole />}</Fact>
        <Fact name="Reservation">
          {refusal.reservation_id === null ? (
            NONE
          ) : (
            <Link
              to="/sponsorships/$id"
              params={{ id: String(refusal.reservation_id) }}
              className="text-accent underline-offset-2 hover:underline"
            >
              {refusal.reservation_id}
            </Link>
          )}
        </Fact>
      </Facts>
    </div>
  );
}

/** Requests that were refused before a reservation was bound to a transaction. */
export function RefusalsPage() {
  const search = useSearch({ from: '/signed-in/refusals' });
  const navigate = useNavigate({ from: '/refusals' });
  const { code = '', token = '', period = '' } = search;
  const [texts, setTexts] = useState({ code, token });
  const filters = useMemo(
    () => ({
      ...(code !== '' && { error: code }),
      ...(token !== '' && { token }),
      ...filtersOfPeriod(period, Date.now()),
    }),
    [code, token, period],
  );
  const apply = (over: Partial<typeof search>) => {
    const given = Object.entries({ ...search, ...texts, ...over }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(given), replace: true });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply({});
  };
  return (
    <Page
      title="Refusals"
      lead="Requests that ended before a reservation was bound to a transaction."
    >
      <div className="rounded-lg border border-line bg-surface">
        <form
          role="search"
          onSubmit={submit}
          className="grid grid-cols-2 gap-2 border-b border-line p-3 md:grid-cols-[1fr_1fr_10rem_auto]"
        >
          <TextInput
            label="Error code"
            hideLabel
            placeholder="Error code"
            value={texts.code}
            onChange={({ target }) => setTexts({ ...texts, code: target.value })}
          />
          <TextInput
            label="Token"
            hideLabel
            placeholder="Token"
            value={texts.token}
            onChange={({ target }) => setTexts({ ...texts, token: target.value })}
          />
          <Choice
            label="Time"
            hideLabel
            options={periodOptions(period)}
            value={period}
            onChoose={(chosen) => apply({ period: chosen })}
          />
          <Button type="submit">Search</Button>
        </form>
        <Rows filters={filters} />
      </div>
    </Page>
  );
}

function Rows({ filters }: { readonly filters: Parameters<typeof refusalsQuery>[0] }) {
  const query = useInfiniteQuery(refusalsQuery(filters));
  const [opened, setOpened] = useState<RefusalSummary | null>(null);
  const columns = useMemo(() => columnsWith(setOpened), []);
  const dropped = query.data?.pages[0]?.dropped ?? [];
  return (
    <>
      {dropped.length > 0 && (
        <p className="border-b border-line bg-warn-tint px-4 py-2 text-warn">
          More than 100 a second: of{' '}
          {dropped.map(({ code, token, requests }) => `${requests} ${code} of ${token}`).join(', ')}{' '}
          only the number is kept.
        </p>
      )}
      <PagedRows
        query={query}
        label="Refusals"
        columns={columns}
        keyOf={({ at }, index) => `${at} ${index}`}
        template={TEMPLATE}
        empty={
          <Empty title="No refusal matches">Refused requests appear here with their reason.</Empty>
        }
      />
      <Dialog title="Refusal" open={opened !== null} onOpenChange={() => setOpened(null)}>
        {opened !== null && <Details refusal={opened} />}
      </Dialog>
    </>
  );
}
