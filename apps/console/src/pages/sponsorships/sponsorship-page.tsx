import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Explanation, WholeSponsorship } from '../../generated/gateway-types.js';
import { explanationQuery, sponsorshipQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Coins, Fact, Facts, Identifier, Moment, NONE } from '../../elements/facts.js';
import { External } from '../../elements/icons.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { Loaded } from '../../elements/states.js';
import { readCommand, shortenFunction } from '../../format/identifiers.js';
import { EffectsPanel } from './effects-panel.js';
import { CopySponsorship } from './copy-sponsorship.js';
import { explainSponsorship, labelOf, titleOf } from './explain-sponsorship.js';
import { RefusedAttempts } from './refused-attempts.js';
import { TimelinePanel } from './timeline-panel.js';

/** One sponsorship: what happened, why, what to do, and where the time went. */
export function SponsorshipPage() {
  const { id } = useParams({ from: '/signed-in/sponsorships/$id' });
  const query = useQuery(sponsorshipQuery(id));
  return (
    <Page
      title={query.data === undefined ? `Reservation ${id}` : titleOf(query.data)}
      lead={
        <>
          {query.data !== undefined && `Reservation ${id} · `}
          <Link to="/sponsorships" className="underline underline-offset-2 hover:text-text">
            All sponsorships
          </Link>
        </>
      }
      {...(query.data && { actions: <CopySponsorship sponsorship={query.data} /> })}
    >
      <Loaded query={query} lines={8}>
        {(sponsorship) => <Details sponsorship={sponsorship} />}
      </Loaded>
    </Page>
  );
}

const edges = {
  good: 'border-l-good',
  warn: 'border-l-warn',
  bad: 'border-l-bad',
  accent: 'border-l-accent',
  neutral: 'border-l-strong',
};

function Details({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const { may } = useCaller();
  const [label, tone] = labelOf(sponsorship);
  const id = String(sponsorship.reservation_id);
  const { data: now } = useQuery({ ...explanationQuery(id), enabled: may.reads });
  const { title, cause, remedy } = explainSponsorship(sponsorship);
  return (
    <>
      <section
        aria-label="Outcome"
        className={`flex flex-col gap-1.5 rounded-lg border border-l-4 border-line bg-surface px-4 py-3.5 ${edges[tone]}`}
      >
        <div className="flex flex-wrap items-center gap-2.5">
          <Badge tone={tone}>{label}</Badge>
          <h2 className="text-base font-semibold">{title}</h2>
        </div>
        <p>{cause}</p>
        <p className="text-soft">
          <span className="font-medium text-text">What to do:</span> {remedy}
        </p>
        {sponsorship.failure !== null && (
          <pre
            tabIndex={0}
            className="mt-1 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap"
          >
            {sponsorship.failure}
          </pre>
        )}
      </section>
      <TimelinePanel sponsorship={sponsorship} />
      <div className="grid gap-5 xl:grid-cols-2">
        <TransactionPanel sponsorship={sponsorship} />
        <GasPanel sponsorship={sponsorship} />
      </div>
      <EffectsPanel sponsorship={sponsorship} />
      {sponsorship.refusals.length > 0 && <RefusedAttempts refusals={sponsorship.refusals} />}
      {now !== undefined && <NowPanel explanation={now} />}
    </>
  );
}

function TransactionPanel({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const { explorer_url: explorer } = useCaller();
  const { digest, sender, token, user, sponsor_address: sponsor, commands, rule } = sponsorship;
  return (
    <Panel title="Transaction">
      <Facts>
        <Fact name="Digest">
          {digest === null ? (
            NONE
          ) : (
            <span className="flex flex-wrap items-center gap-x-3">
              <Identifier id={digest} whole />
              {explorer !== null && (
                <a
                  href={explorer.replace('{digest}', encodeURIComponent(digest))}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex items-center gap-1 text-accent underline-offset-2 hover:underline"
                >
                  Explorer <External />
                </a>
              )}
            </span>
          )}
        </Fact>
        <Fact name="Sender">{sender === null ? NONE : <Identifier id={sender} whole />}</Fact>
        <Fact name="Sponsor">
          <Identifier id={sponsor} whole />
        </Fact>
        <Fact name="Token">{token}</Fact>
        {user !== null && (
          <Fact name="User">
            <Identifier id={user} whole />
          </Fact>
        )}
        <Fact name="Commands">
          {commands.length === 0 ? NONE : <Commands commands={commands} />}
        </Fact>
        <Fact name="Access rule">{rule ?? NONE}</Fact>
        <Fact name="Executor">{sponsorship.executor ?? NONE}</Fact>
        <Fact name="Requests">
          {sponsorship.request_ids.length === 0
            ? NONE
            : sponsorship.request_ids.map((id) => <Identifier key={id} id={id} kept={8} />)}
        </Fact>
        {sponsorship.trace_id !== null && (
          <Fact name="Trace">
            <Identifier id={sponsorship.trace_id} kept={8} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Commands({ commands }: { readonly commands: readonly string[] }) {
  return (
    <ol className="flex flex-col gap-1">
      {commands.map((command, index) => {
        const { kind, name } = readCommand(command);
        return (
          <li key={index} className="flex gap-2" title={name}>
            <span className="figures w-5 shrink-0 text-right text-soft">{index}</span>
            <span>
              {kind} <code className="font-mono text-xs break-all">{shortenFunction(name)}</code>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function GasPanel({ sponsorship }: { readonly sponsorship: WholeSponsorship }) {
  const { gas, gas_budget: budget, reserved_balance: balance, gas_coins: coins } = sponsorship;
  return (
    <Panel title="Gas" note="hover for the smallest unit">
      <Facts>
        {gas === null ? (
          <Fact name="Charged">nothing</Fact>
        ) : (
          <>
            <Fact name="Charged">
              <span className="font-semibold">
                <Coins amount={gas.net} exact />
              </span>
            </Fact>
            <Fact name="Computation">
              <Coins amount={gas.computation} exact />
            </Fact>
            <Fact name="Storage">
              <Coins amount={gas.storage} exact />
            </Fact>
            <Fact name="Rebate">
              <Coins amount={`-${gas.rebate}`} exact />
            </Fact>
            <Fact name="In limits">
              <Coins amount={gas.counted} exact />
            </Fact>
          </>
        )}
        <Fact name="Budget">
          <Coins amount={budget} exact />
        </Fact>
        <Fact name="Reserved">
          <Coins amount={balance} exact /> in {coins.length} {coins.length === 1 ? 'coin' : 'coins'}
        </Fact>
        <Fact name="Created">
          <Moment at={sponsorship.created_at} />
        </Fact>
        <Fact name="Ended">
          {sponsorship.ended_at === null ? 'open' : <Moment at={sponsorship.ended_at} />}
        </Fact>
        <Fact name="Submissions">{sponsorship.attempts}</Fact>
      </Facts>
    </Panel>
  );
}

/** The state in the fleet itself. Its records are kept for a while only: then there is nothing to show. */
function NowPanel({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, meaning, advice, reservation } = explanation;
  return (
    <Panel title="In the fleet now" note={verdict}>
      <p className="break-words">{meaning}</p>
      <p className="mt-1 text-soft">{advice}</p>
      {reservation !== null && reservation.usage.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1">
          {reservation.usage.map(({ counter, limit, counts, amount, used, resets_at: reset }) => (
            <li key={counter}>
              Counts{' '}
              {counts === 'gas' ? (
                <>
                  <Coins amount={amount} /> of <Coins amount={used} /> coins used
                </>
              ) : (
                `${amount} of ${used} ${counts}`
              )}{' '}
              in {limit ?? 'a limit that is in no file of this gateway'}
              {reset !== null && (
                <>
                  , resets <Moment at={reset} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
