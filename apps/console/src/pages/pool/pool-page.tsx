import { useQuery } from '@tanstack/react-query';
import type { FleetSponsor, SponsorStatus } from '../../generated/gateway-types.js';
import { actionsQuery, fleetQuery, pausesQuery, sponsorsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge, type Tone } from '../../elements/badge.js';
import { Coins, Identifier, Moment, NONE } from '../../elements/facts.js';
import { Hint } from '../../elements/hint.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { countGasCoins } from '../../format/amounts.js';
import { formatDuration } from '../../format/times.js';
import { CoinSizes } from './coin-sizes.js';
import { CoinsBar } from './coins-bar.js';
import { InFlightPanel } from './in-flight-panel.js';
import { RunsOut } from './runs-out.js';
import { type OperatorAction, OperatorActions } from './operator-actions.js';
import { RetiredSponsors } from './retired-sponsors.js';
import { findDefault, isRetired, partSponsors, sponsorStates } from './sponsor-states.js';

const PAUSE_ALL: OperatorAction = {
  kind: 'pause',
  scope: {},
  name: 'everything',
  button: 'Pause everything',
};

/** The sponsors' coins, the work that binds them, and what operators may do about them. */
export function PoolPage() {
  const { may } = useCaller();
  const sponsors = useQuery(sponsorsQuery);
  const fleet = useQuery(fleetQuery);
  return (
    <Page
      title="Pool"
      lead="Each sponsor’s coins, by state, and the work that binds them."
      actions={may.operates && <OperatorActions actions={[PAUSE_ALL]} />}
    >
      <Pauses />
      <Loaded query={sponsors} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No sponsor">Add a key to the coin-pools and executors.</Empty>
          ) : (
            partSponsors(all).inUse.map((sponsor) => (
              <SponsorPanel
                key={sponsor.sponsor_address}
                sponsor={sponsor}
                all={all}
                inFleet={fleet.data?.sponsors.find(
                  ({ sponsor_address: address }) => address === sponsor.sponsor_address,
                )}
              />
            ))
          )
        }
      </Loaded>
      <Loaded query={fleet}>{(data) => <InFlightPanel fleet={data} />}</Loaded>
      <AuditTrail />
      <Retired all={sponsors.data ?? []} />
    </Page>
  );
}

/** Below everything that may need attention. */
function Retired({ all }: { readonly all: readonly SponsorStatus[] }) {
  const { may } = useCaller();
  const { retired } = partSponsors(all);
  if (retired.length === 0) return null;
  const actions = (sponsor: SponsorStatus) =>
    may.operates && <OperatorActions actions={actionsOf(sponsor, all)} />;
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <RetiredSponsors sponsors={retired} actionsOf={actions} />
    </div>
  );
}

function Pauses() {
  const { may } = useCaller();
  const { data = [] } = useQuery(pausesQuery);
  if (data.length === 0) return null;
  return (
    <Panel title="Paused" flush>
      <ul>
        {data.map(({ scope, reason, by, since }) => (
          <li
            key={scope}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line border-l-4 border-l-warn px-4 py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="font-medium break-all">{scope}</p>
              <p className="text-soft">
                “{reason}”, {by}, since <Moment at={since} />
              </p>
            </div>
            {may.operates && (
              <OperatorActions
                actions={[{ kind: 'resume', scope: readScope(scope), name: scope }]}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `everything`, `sponsor <address>` or `token <name>`, as the body that ends the pause. */
function readScope(scope: string): { sponsor_address?: string; token?: string } {
  const [kind, name = ''] = scope.split(' ');
  if (kind === 'sponsor') return { sponsor_address: name };
  return kind === 'token' ? { token: name } : {};
}

const stateTones: Readonly<Record<SponsorStatus['state'], Tone>> = {
  serving: 'good',
  draining: 'warn',
  drained: 'neutral',
  opening: 'accent',
  'no-key': 'bad',
};

function SponsorPanel({
  sponsor,
  all,
  inFleet,
}: {
  readonly sponsor: SponsorStatus;
  readonly all: readonly SponsorStatus[];
  readonly inFleet: FleetSponsor | undefined;
}) {
  const { may } = useCaller();
  const { sponsor_address: address, state, drain, withdrawal } = sponsor;
  return (
    <Panel
      title={
        <span className="flex items-center gap-2.5">
          <Identifier id={address} kept={8} />
          <Hint text={sponsorStates[state]}>
            <Badge tone={stateTones[state]}>{state}</Badge>
          </Hint>
          {all.length > 1 && findDefault(all) === sponsor && (
            <Hint text="It pays where neither the caller nor a rule names a sponsor.">
              <Badge>default</Badge>
            </Hint>
          )}
        </span>
      }
      actions={may.operates && <OperatorActions actions={actionsOf(sponsor, all)} />}
    >
      <div className="grid gap-5 lg:grid-cols-[14rem_1fr]">
        <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-3 lg:grid-cols-1">
          <Figure name="Balance">
            <Coins amount={sponsor.balance} />
          </Figure>
          <Figure name="Gas runs out">
            <RunsOut sponsor={inFleet} />
          </Figure>
          <Figure name="Spent in a day">
            {inFleet?.spending.day ? <Coins amount={inFleet.spending.day.spent} /> : 'unknown'}
          </Figure>
        </dl>
        {inFleet === undefined ? (
          <p className="text-soft">Coins by state are unknown: the coin-pool does not show them.</p>
        ) : (
          <div className="min-w-0">
            <CoinsBar coins={inFleet.coins} />
            <CoinSizes sizes={inFleet.sizes} />
          </div>
        )}
      </div>
      {drain !== null && (
        <p className="mt-4 text-soft">
          Drained: “{drain.reason}”, {drain.by}, since <Moment at={drain.since} />
        </p>
      )}
      {withdrawal !== null && (
        <p className="mt-2 text-soft">
          {withdrawal.ended === null ? 'Withdrawal in progress' : 'Withdrawn'}:{' '}
          <Coins amount={withdrawal.arrived} />{' '}
          {withdrawal.amount === null ? (
            `in ${countGasCoins(withdrawal.coins)}`
          ) : (
            <>
              of <Coins amount={withdrawal.amount} />
            </>
          )}{' '}
          to <Identifier id={withdrawal.to_address} kept={6} />
        </p>
      )}
      {inFleet?.suspended_secs != null && (
        <p className="mt-2 text-warn">
          Suspended for another {formatDuration(inFleet.suspended_secs * 1_000)}: Redis may have
          lost writes.
        </p>
      )}
    </Panel>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="figures text-base font-semibold">{children}</dd>
    </div>
  );
}

function actionsOf(sponsor: SponsorStatus, all: readonly SponsorStatus[]): OperatorAction[] {
  const { sponsor_address: address, state } = sponsor;
  const others = all.map((one) => one.sponsor_address).filter((one) => one !== address);
  const pause: OperatorAction = {
    kind: 'pause',
    scope: { sponsor_address: address },
    name: address,
  };
  const reconcile: OperatorAction = { kind: 'reconcile', sponsor: address };
  if (isRetired(sponsor)) return [reconcile];
  return state === 'draining' || state === 'drained'
    ? [
        reconcile,
        { kind: 'undrain', sponsor: address },
        ...(state === 'drained' ? [{ kind: 'withdraw', sponsor: address, others } as const] : []),
      ]
    : [reconcile, pause, { kind: 'drain', sponsor: address }];
}

function AuditTrail() {
  const query = useQuery(actionsQuery);
  return (
    <Panel title="Actions of operators" note="newest first" flush>
      <Loaded query={query}>
        {(actions) =>
          actions.length === 0 ? (
            <Empty title="No operator has done anything yet" />
          ) : (
            <PlainTable
              label="Actions of operators"
              rows={actions}
              keyOf={({ at, scope, action }) => `${at} ${action} ${scope}`}
              columns={[
                { name: 'Time', render: ({ at }) => <Moment at={at} /> },
                { name: 'Operator', render: ({ operator }) => operator },
                {
                  name: 'Action',
                  render: ({ action }) => <span className="font-medium">{action}</span>,
                },
                { name: 'Scope', className: 'break-all', render: ({ scope }) => scope },
                { name: 'Reason', render: ({ reason }) => (reason === '' ? NONE : reason) },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
