import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  Access,
  AccessRuleInfo,
  Pause,
  TokenInfo,
  UsageSummary,
} from '../../generated/gateway-types.js';
import { accessQuery, limitsQuery, pausesQuery, usageQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Coins, Moment, NONE } from '../../elements/facts.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Loaded } from '../../elements/states.js';
import { groupDigits } from '../../format/amounts.js';
import { OperatorActions } from '../pool/operator-actions.js';
import { BudgetSponsorChoice } from '../sponsorships/sponsor-choice.js';
import { BudgetBars } from './budget-bars.js';
import { ExplainForm } from './explain-form.js';
import { GatewaysPanel } from './gateways-panel.js';

/** Who may have what sponsored: tokens, rules, and the decision about any transaction. */
export function AccessPage() {
  const query = useQuery(accessQuery);
  return (
    <Page title="Access" lead="Tokens with their limits, the rules in force, and what they decide.">
      <Loaded query={query} lines={8}>
        {(access) => (
          <>
            <Tokens access={access} />
            <Rules access={access} />
            <GatewaysPanel shownRules={access.version} />
            <ExplainForm tokens={access.tokens.map(({ name }) => name)} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Tokens({ access }: { readonly access: Access }) {
  const { may } = useCaller();
  const { data: usage } = useQuery(usageQuery({ group_by: 'token' }));
  const since = useMemo(() => Date.now() - LISTED_DAYS * 86_400_000, []);
  const { data: byDay } = useQuery(usageQuery({ from: since, group_by: 'token,day' }));
  const [sponsor, setSponsor] = useState('');
  const { data: limits } = useQuery(limitsQuery(sponsor));
  const budgetsOf = (name: string) =>
    limits?.limits.find(({ token }) => token === name)?.budgets ?? [];
  const { data: pauses = [] } = useQuery(pausesQuery);
  const pauseOf = (name: string) => pauses.find(({ scope }) => scope === `token ${name}`);
  return (
    <Panel
      title="Tokens"
      note="usage of this month"
      flush
      actions={<BudgetSponsorChoice value={sponsor} onChoose={setSponsor} />}
    >
      <PlainTable<TokenInfo>
        label="Tokens"
        rows={access.tokens}
        keyOf={({ name }) => name}
        columns={[
          { name: 'Name', render: (token) => <TokenName token={token} /> },
          {
            name: 'State',
            render: (token) => <TokenState token={token} pause={pauseOf(token.name)} />,
          },
          {
            name: 'Rules',
            render: ({ rule_set: set }) => set ?? <span className="text-soft">general</span>,
          },
          {
            name: 'Limits',
            render: ({ name, limits: texts }) => {
              const budgets = budgetsOf(name);
              const limitsWithBudget = new Set(budgets.map(({ limit }) => limit));
              const others = texts.filter((text) => !limitsWithBudget.has(text));
              return (
                <div className="flex flex-col gap-2.5">
                  {budgets.length > 0 && <BudgetBars budgets={budgets} />}
                  {(others.length > 0 || budgets.length === 0) && <Lines of={others} />}
                </div>
              );
            },
          },
          {
            name: 'Last sponsoring',
            className: 'whitespace-nowrap',
            render: ({ name, roles }) =>
              lastSponsoringOf(byDay, name) ??
              (roles.includes('sponsor') ? NONE : <span className="text-soft">not its role</span>),
          },
          {
            name: 'Transactions',
            numeric: true,
            render: ({ name }) => rowOf(usage, name)?.transactions ?? NONE,
          },
          { name: 'Gas', numeric: true, render: ({ name }) => <Gas usage={usage} name={name} /> },
          ...(may.operates
            ? [
                {
                  name: 'Action',
                  render: ({ name }: TokenInfo) => {
                    const kind = pauseOf(name) ? 'resume' : 'pause';
                    const scope = { token: name };
                    return <OperatorActions actions={[{ kind, scope, name: `token ${name}` }]} />;
                  },
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

const LISTED_DAYS = 90;

/**
 * The last day (UTC) on which a token had something sponsored or refused; null: none of the days that were
 * asked for.
 */
function lastSponsoringOf(usage: UsageSummary | undefined, name: string): string | null {
  const days = (usage?.rows ?? []).filter(({ token }) => token === name).map(({ day }) => day!);
  return days.sort().at(-1) ?? null;
}

const rowOf = (usage: UsageSummary | undefined, name: string) =>
  usage?.rows.find(({ token }) => token === name);

function Gas({ usage, name }: { readonly usage: UsageSummary | undefined; readonly name: string }) {
  const row = rowOf(usage, name);
  return row === undefined ? NONE : <Coins amount={row.gas} />;
}

function TokenName({
  token: { name, roles, is_for_users: isForUsers },
}: {
  readonly token: TokenInfo;
}) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        {isForUsers && <Badge>signs for users</Badge>}
      </p>
      <p className="text-xs text-soft">{roles.join(', ')}</p>
    </div>
  );
}

function TokenState({
  token: { expires_at: expires },
  pause,
}: {
  readonly token: TokenInfo;
  readonly pause: Pause | undefined;
}) {
  const isExpired = expires !== null && expires <= Date.now();
  return (
    <span className="flex flex-wrap gap-1.5">
      {isExpired && <Badge tone="bad">expired</Badge>}
      {!isExpired && pause === undefined && <Badge tone="good">valid</Badge>}
      {expires !== null && (
        <span className="text-xs leading-5 text-soft">
          {isExpired ? 'since' : 'until'} <Moment at={expires} />
        </span>
      )}
      {pause && (
        <>
          <Badge tone="warn">paused</Badge>
          <span className="text-soft">
            “{pause.reason}”, {pause.by}
          </span>
        </>
      )}
    </span>
  );
}

function Lines({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <span className="text-soft">defaults</span>;
  return (
    <ul>
      {of.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Rules({ access }: { readonly access: Access }) {
  const { rules, dry_run: dryRun, sponsor_budget: budget } = access;
  return (
    <>
      {rules.map(({ name, policy, rules: list }) => (
        <Panel
          key={name ?? ''}
          title={name === null ? 'General rules' : `Rule set ${name}`}
          note={`then ${policy}${dryRun ? '; dry run: decisions are logged and not enforced' : ''}`}
          flush
        >
          {list.length === 0 ? (
            <Empty title={policy === 'disabled' ? 'No rules are configured' : 'No rules'}>
              {policy === 'disabled'
                ? 'Every valid token may have any transaction sponsored, within its limits.'
                : `Without a rule that decides, ${policy} applies.`}
            </Empty>
          ) : (
            <ol>
              {list.map((rule, index) => (
                <Rule key={rule.name} rule={rule} number={index + 1} />
              ))}
            </ol>
          )}
        </Panel>
      ))}
      {budget.length > 0 && (
        <p className="text-soft">
          Budget of each sponsor, whatever the rules say: {budget.join(', ')}.
        </p>
      )}
    </>
  );
}

const actionTones = { allow: 'good', deny: 'bad', hook: 'accent' } as const;

function Rule({ rule, number }: { readonly rule: AccessRuleInfo; readonly number: number }) {
  const { name, line, action, hook, conditions, limits, message } = rule;
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0 md:grid-cols-[2rem_6rem_14rem_1fr]">
      <span className="figures text-soft">{groupDigits(String(number))}</span>
      <span>
        <Badge tone={actionTones[action]}>{action}</Badge>
      </span>
      <span className="font-medium break-words">
        {name} <span className="font-normal text-xs text-soft">line {line}</span>
      </span>
      <ul className="min-w-0">
        {[...conditions, ...limits, ...(hook === null ? [] : [`asks ${hook}`])].map((text) => (
          <li key={text} className="font-mono text-xs break-words">
            {text}
          </li>
        ))}
        {message !== null && <li className="text-soft">Says: “{message}”</li>}
      </ul>
    </li>
  );
}
