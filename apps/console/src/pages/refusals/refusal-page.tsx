import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { explainError } from '../../api/explain-error.js';
import type { RefusalSummary } from '../../generated/gateway-types.js';
import { refusalQuery } from '../../api/queries.js';
import { Badge } from '../../elements/badge.js';
import { Fact, Facts, Identifier, Moment, NONE } from '../../elements/facts.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { Empty, Loaded } from '../../elements/states.js';

const LINK = 'text-accent underline-offset-2 hover:underline';

/** One refused request: why, whose, and the remedy. */
export function RefusalPage() {
  const { at } = useParams({ from: '/signed-in/refusals/$at' });
  const { request } = useSearch({ from: '/signed-in/refusals/$at' });
  const query = useQuery(refusalQuery(Number(at), request));
  return (
    <Page
      title={query.data ? `Refused: ${query.data.code}` : 'Refusal'}
      lead={
        <Link to="/refusals" className="underline underline-offset-2 hover:text-text">
          All refusals
        </Link>
      }
    >
      <Loaded query={query} lines={6}>
        {(refusal) =>
          refusal === null ? (
            <Empty title="There is no record of it for this token">
              Records are kept for a limited time.
            </Empty>
          ) : (
            <Details refusal={refusal} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Details({ refusal }: { readonly refusal: RefusalSummary }) {
  const { at, code, status, message, route, token, user, sender, rule, digest } = refusal;
  const { reservation_id: reservation, request_id: requestId } = refusal;
  const { cause, remedy } = explainError(code, message);
  return (
    <>
      <section
        aria-label="Cause"
        className="flex flex-col gap-1.5 rounded-lg border border-l-4 border-line border-l-bad bg-surface px-4 py-3.5"
      >
        <div className="flex flex-wrap items-center gap-2.5">
          <Badge tone={status >= 500 ? 'warn' : 'bad'}>{status}</Badge>
          <h2 className="text-base font-semibold">{cause}</h2>
        </div>
        <p className="font-mono text-xs [overflow-wrap:anywhere]">{message}</p>
        <p className="text-soft">
          <span className="font-medium text-text">What to do:</span> {remedy}
        </p>
      </section>
      <Panel title="Request">
        <Facts>
          <Fact name="Time">
            <Moment at={at} />
          </Fact>
          <Fact name="Route">{route}</Fact>
          <Fact name="Code">
            <Link to="/refusals" search={{ code }} className={LINK}>
              {code}
            </Link>
            , status {status}
          </Fact>
          <Fact name="Request id">
            {requestId === null ? NONE : <Identifier id={requestId} whole />}
          </Fact>
          <Fact name="Token">{token}</Fact>
          {user !== null && (
            <Fact name="User">
              <Identifier id={user} whole />
            </Fact>
          )}
          <Fact name="Sender">{sender === null ? NONE : <Identifier id={sender} whole />}</Fact>
          <Fact name="Access rule">{rule ?? NONE}</Fact>
          <Fact name="Digest">{digest === null ? NONE : <Identifier id={digest} whole />}</Fact>
          <Fact name="Reservation">
            {reservation === null ? (
              NONE
            ) : (
              <Link to="/sponsorships/$id" params={{ id: String(reservation) }} className={LINK}>
                {reservation}
              </Link>
            )}
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}
