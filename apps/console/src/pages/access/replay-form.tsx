import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import type {
  ReplayedExample,
  ReplayedRuleChange,
  ReplayProgress,
  ReplayReport,
} from '../../api/gateway-types.js';
import { replayRules } from '../../api/replay-rules.js';
import { Button } from '../../elements/button.js';
import { Coins, Moment, NONE } from '../../elements/facts.js';
import { Choice, optionsOf, TextArea } from '../../elements/fields.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Failure } from '../../elements/states.js';
import { groupDigits } from '../../format/amounts.js';

const DAY_MS = 86_400_000;
const periods = { day: 'Last 24 hours', week: 'Last 7 days', all: 'All that is kept' };
const lengths: Readonly<Record<string, number>> = { day: DAY_MS, week: 7 * DAY_MS };

/** Tries proposed rules on past traffic, beside the rules in force. */
export function ReplayForm({ tokens }: { readonly tokens: readonly string[] }) {
  const [rules, setRules] = useState('');
  const [period, setPeriod] = useState('day');
  const [token, setToken] = useState('');
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => {
      const length = lengths[period];
      const from = length === undefined ? 0 : Date.now() - length;
      const { signal } = (running.current = new AbortController());
      setProgress(null);
      return replayRules({ rules, from, token: token === '' ? null : token }, signal, setProgress);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const cancel = () => {
    running.current?.abort();
    reset();
  };
  return (
    <Panel title="Try rules on past traffic" note="nothing changes; limits begin unused">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextArea
          label="Proposed rules"
          required
          placeholder="access-controller: …, as in ACCESS_RULES_FILE"
          value={rules}
          onChange={({ target }) => setRules(target.value)}
        />
        <div className="flex flex-wrap items-end gap-3">
          <Choice label="Period" options={periods} value={period} onChoose={setPeriod} />
          <Choice
            label="Of token"
            options={optionsOf('Any token', tokens, token)}
            value={token}
            onChoose={setToken}
          />
          <Button look="primary" type="submit" disabled={isPending}>
            Try
          </Button>
          {isPending && <Button onClick={cancel}>Cancel</Button>}
        </div>
      </form>
      <div role="status" className="mt-4 empty:hidden">
        {isPending && (
          <p className="text-soft">
            {progress === null ? (
              'Reading the records…'
            ) : (
              <>
                {groupDigits(String(progress.records))} decisions, up to <Moment at={progress.at} />
              </>
            )}
          </p>
        )}
        {data && !isPending && <Report of={data} />}
      </div>
      {error && !isPending && <Failure error={error} />}
    </Panel>
  );
}

function Report({ of }: { readonly of: ReplayReport }) {
  const { decided, changed, by_rule: byRule, examples, notes, not_replayable: left } = of;
  const missing = left.sponsorships + left.refusals + left.only_counted;
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <p className="font-medium">
        {changed === 0
          ? `None of ${groupDigits(String(decided))} decisions would change.`
          : `${groupDigits(String(changed))} of ${groupDigits(String(decided))} decisions would change.`}
      </p>
      {missing > 0 && (
        <p className="text-warn">
          {groupDigits(String(missing))} records could not be decided again: too little of them is
          kept.
        </p>
      )}
      {byRule.length > 0 && (
        <PlainTable<ReplayedRuleChange>
          label="Changes by rule"
          rows={byRule}
          keyOf={(one) => `${one.from} ${one.from_rule} ${one.to} ${one.to_rule}`}
          columns={[
            { name: 'In force', render: ({ from, from_rule: by }) => outcome(from, by) },
            { name: 'Proposed', render: ({ to, to_rule: by }) => outcome(to, by) },
            {
              name: 'Transactions',
              numeric: true,
              render: ({ count }) => groupDigits(String(count)),
            },
            { name: 'Gas', numeric: true, render: ({ gas }) => <Coins amount={gas} /> },
          ]}
        />
      )}
      {examples.map(({ from, to, data }) => (
        <details key={`${from} ${to}`}>
          <summary>
            {outcomes[from]} → {outcomes[to]}: the first {data.length}
          </summary>
          <ul>
            {data.map((one) => (
              <Example key={`${one.at} ${one.digest} ${one.reservation_id}`} of={one} />
            ))}
          </ul>
        </details>
      ))}
      {notes.map((note) => (
        <p key={note} className="text-soft">
          {note}
        </p>
      ))}
    </div>
  );
}

function Example({ of: { at, token, reservation_id: id } }: { readonly of: ReplayedExample }) {
  return (
    <li className="flex gap-3 border-t border-line py-2">
      <Moment at={at} />
      <span>{token}</span>
      {id === null ? (
        NONE
      ) : (
        <Link
          to="/sponsorships/$id"
          params={{ id: String(id) }}
          className="text-accent underline-offset-2 hover:underline"
        >
          {id}
        </Link>
      )}
    </li>
  );
}

const outcomes = {
  allow: 'Allowed',
  deny: 'Denied',
  limited: 'Denied by a limit',
  undecided: 'Open',
} as const;

function outcome(name: keyof typeof outcomes, rule: string | null): string {
  return rule === null ? outcomes[name] : `${outcomes[name]} by ${rule}`;
}
