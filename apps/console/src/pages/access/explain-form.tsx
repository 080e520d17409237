import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callGateway } from '../../api/call-gateway.js';
import type { AccessExplanation } from '../../generated/gateway-types.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Coins, Fact, Facts, Identifier } from '../../elements/facts.js';
import { Choice, TextArea } from '../../elements/fields.js';
import { Panel } from '../../elements/panel.js';
import { Failure } from '../../elements/states.js';
import { shortenFunction } from '../../format/identifiers.js';

/** Explains, rule by rule, the decision about a pasted transaction. */
export function ExplainForm({ tokens }: { readonly tokens: readonly string[] }) {
  const [bytes, setBytes] = useState('');
  const [token, setToken] = useState(tokens[0] ?? '');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = { token, tx_bytes: bytes.replaceAll(/\s/g, '') };
      return (await callGateway('explainAccess', { body })).result;
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Panel title="Explain a decision" note="nothing is reserved, signed or counted">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextArea
          label="Transaction"
          required
          placeholder="TransactionData: BCS in base64"
          value={bytes}
          onChange={({ target }) => setBytes(target.value)}
        />
        <div className="flex items-end gap-3">
          <div className="w-48">
            <Choice
              label="Token"
              options={Object.fromEntries(tokens.map((name) => [name, name]))}
              value={token}
              onChoose={setToken}
            />
          </div>
          <Button look="primary" type="submit" disabled={isPending}>
            Explain
          </Button>
        </div>
      </form>
      <div role="status" className="mt-4 empty:hidden">
        {data && !error && <Explanation of={data} />}
      </div>
      {error && <Failure error={error} />}
    </Panel>
  );
}

const outcomes = {
  allow: ['Allowed', 'good'],
  deny: ['Denied', 'bad'],
  limited: ['Denied by a limit', 'warn'],
  undecided: ['Open', 'accent'],
} as const;

function Explanation({ of }: { readonly of: AccessExplanation }) {
  const { outcome, rule, policy, reason, steps, transaction } = of;
  const [name, tone] = outcomes[outcome];
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <p className="flex flex-wrap items-center gap-2.5">
        <Badge tone={tone}>{name}</Badge>
        <span className="font-medium">{rule === null ? `by ${policy}` : `by rule ${rule}`}</span>
        {reason !== null && <span className="text-soft">{reason}</span>}
      </p>
      <Facts>
        <Fact name="Sender">
          <Identifier id={transaction.sender} whole />
        </Fact>
        <Fact name="Gas budget">
          <Coins amount={transaction.gas_budget} exact />
        </Fact>
        <Fact name="Commands">{transaction.commands.map(shortenFunction).join(', ')}</Fact>
      </Facts>
      {steps.length > 0 && (
        <ol>
          {steps.map(({ rule: step, line, skipped }) => (
            <li key={step} className="flex flex-wrap gap-x-3 border-t border-line py-2">
              <span className={skipped === null ? 'font-semibold' : ''}>{step}</span>
              <span className="text-xs leading-5 text-soft">line {line}</span>
              <span className={skipped === null ? 'text-good' : 'text-soft'}>
                {skipped ?? 'matches and decides'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
