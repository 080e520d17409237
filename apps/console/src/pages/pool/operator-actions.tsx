import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callGateway } from '../../api/call-gateway.js';
import type { ReconcileResponse } from '../../generated/gateway-types.js';
import { Button } from '../../elements/button.js';
import { Dialog } from '../../elements/dialog.js';
import { TextInput } from '../../elements/fields.js';
import { Failure } from '../../elements/states.js';
import { WithdrawDialog } from './withdraw-dialog.js';

interface Scope {
  readonly sponsor_address?: string;
  readonly token?: string;
}

/** Something that an operator may do. */
export type OperatorAction =
  | {
      readonly kind: 'pause';
      readonly scope: Scope;
      readonly name: string;
      readonly button?: string;
    }
  | { readonly kind: 'resume'; readonly scope: Scope; readonly name: string }
  | { readonly kind: 'drain'; readonly sponsor: string }
  | { readonly kind: 'undrain'; readonly sponsor: string }
  | { readonly kind: 'reconcile'; readonly sponsor: string }
  | { readonly kind: 'withdraw'; readonly sponsor: string; readonly others: readonly string[] };

const texts = {
  pause: {
    button: 'Pause',
    title: 'Pause sponsoring',
    effect:
      'New reservations and executions are refused with the reason, within a second. Claimed transactions are finished.',
  },
  resume: {
    button: 'Resume',
    title: 'End the pause',
    effect: 'Requests of this scope are accepted again.',
  },
  drain: {
    button: 'Drain',
    title: 'Drain this sponsor',
    effect:
      'It gives no more reservations, and the next sponsor takes over. Open work is finished.',
  },
  undrain: {
    button: 'End drain',
    title: 'End the drain',
    effect: 'The sponsor gives reservations again; a withdrawal in progress takes no more coins.',
  },
  reconcile: {
    button: 'Reconcile',
    title: 'Compare the pool with the ledger',
    effect:
      'New coins are adopted, and coins that were changed elsewhere are corrected. Coins in flight are not touched.',
  },
  withdraw: { button: 'Withdraw' },
} as const;

/** An action that its effect and a reason confirm. */
type SimpleAction = Exclude<OperatorAction, { readonly kind: 'withdraw' }>;

const NEEDS_REASON: ReadonlySet<OperatorAction['kind']> = new Set(['pause', 'drain', 'reconcile']);

/** The result of a comparison, or a warning, in words; null: the action has no result besides its effect. */
function describeResult(answer: object): string | null {
  const { warnings = [] } = (answer as { result: { warnings?: readonly string[] } }).result;
  if (warnings.length > 0) return warnings.join(' ');
  if (!('finished' in (answer as { result: object }).result)) return null;
  const { finished, adopted, corrected, differences } = (answer as ReconcileResponse).result;
  return finished
    ? `${adopted} coins adopted, ${corrected} corrected, ${differences} differences remain.`
    : 'The comparison goes on; its result is in the log of the coin-pool.';
}

function perform(action: SimpleAction, reason: string): Promise<object> {
  switch (action.kind) {
    case 'pause':
      return callGateway('pause', { body: { ...action.scope, reason } });
    case 'resume':
      return callGateway('resume', { body: action.scope });
    case 'drain':
      return callGateway('drain', { body: { sponsor_address: action.sponsor, reason } });
    case 'undrain':
      return callGateway('undrain', { body: { sponsor_address: action.sponsor } });
    case 'reconcile': {
      const body = { sponsor_address: action.sponsor, reason };
      return callGateway('reconcile', { body });
    }
  }
}

/** Buttons for actions; each asks for a confirmation, and for the reason that the audit trail shows. */
export function OperatorActions({ actions }: { readonly actions: readonly OperatorAction[] }) {
  const [open, setOpen] = useState<OperatorAction | null>(null);
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <Button
          key={action.kind}
          look={action.kind === 'withdraw' ? 'danger' : 'plain'}
          onClick={() => setOpen(action)}
        >
          {'button' in action ? (
            action.button
          ) : (
            <>
              {texts[action.kind].button}
              <span className="sr-only"> {nameOf(action)}</span>
            </>
          )}
        </Button>
      ))}
      {open?.kind === 'withdraw' && <WithdrawDialog {...open} onDone={() => setOpen(null)} />}
      {open !== null && open.kind !== 'withdraw' && (
        <Confirmation action={open} onDone={() => setOpen(null)} />
      )}
    </div>
  );
}

const nameOf = (action: OperatorAction) => ('name' in action ? action.name : action.sponsor);

function Confirmation({
  action,
  onDone,
}: {
  readonly action: SimpleAction;
  readonly onDone: () => void;
}) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [result, setResult] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => perform(action, reason),
    onSuccess: async (answer) => {
      const described = describeResult(answer);
      setResult(described);
      if (described === null) onDone();
      await client.invalidateQueries();
    },
  });
  const { button, title, effect } = texts[action.kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog title={title} open onOpenChange={onDone}>
      <form onSubmit={submit} className="flex flex-col gap-4 p-5 pt-2">
        <p className="break-all">
          <code className="font-mono text-xs">{nameOf(action)}</code>
        </p>
        <p className="text-soft">{effect}</p>
        {NEEDS_REASON.has(action.kind) && (
          <TextInput
            label="Reason"
            required
            autoFocus
            maxLength={200}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            hint={
              action.kind === 'reconcile'
                ? 'Recorded with the action.'
                : 'Recorded, and shown to callers.'
            }
          />
        )}
        {error && <Failure error={error} />}
        {result !== null && <p role="status">{result}</p>}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>{result === null ? 'Cancel' : 'Close'}</Button>
          <Button type="submit" look="primary" disabled={isPending}>
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
