import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callGateway } from '../../api/call-gateway.js';
import { GatewayError } from '../../api/gateway-error.js';
import type { SponsorStatus } from '../../generated/gateway-types.js';
import { sponsorsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Button } from '../../elements/button.js';
import { Dialog } from '../../elements/dialog.js';
import { Coins, Fact, Facts } from '../../elements/facts.js';
import { Choice, TextInput } from '../../elements/fields.js';
import { Failure } from '../../elements/states.js';
import { groupDigits, readCoins } from '../../format/amounts.js';
import { readDestination, typedEnd } from './withdrawal-destination.js';

/**
 * Sends funds of a drained sponsor away, all or an amount, once the operator has seen the amount and typed
 * the end of the destination.
 */
export function WithdrawDialog({
  sponsor,
  others,
  onDone,
}: {
  readonly sponsor: string;
  readonly others: readonly string[];
  readonly onDone: () => void;
}) {
  const client = useQueryClient();
  const { currency } = useCaller();
  const { data: sponsors = [] } = useQuery(sponsorsQuery);
  const [chosen, setChosen] = useState(others[0] ?? '');
  const [typed, setTyped] = useState('');
  const [coins, setCoins] = useState('');
  const [reason, setReason] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [loss, setLoss] = useState('');
  // A repeated click orders the same, and a later dialog may order the same amount again.
  const [request] = useState(newRequest);
  const to = readDestination(chosen === '' ? typed : chosen);
  const part = readCoins(coins);
  const isAmountRead = coins.trim() === '' || part !== null;
  const all = { sponsor_address: sponsor, to_address: to ?? '', after_loss: loss.trim() || null };
  const ofAmount = part === null ? null : { ...all, amount: String(part), request_id: request };
  const check = useQuery({
    queryKey: ['check-withdrawal', ofAmount ?? all],
    enabled: to !== null && isAmountRead,
    retry: false,
    gcTime: 0,
    queryFn: ({ signal }) => {
      const body = { ...(ofAmount ?? all), reason: 'preview' };
      return callGateway('checkWithdrawal', { body, signal });
    },
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      ofAmount === null
        ? callGateway('withdraw', { body: { ...all, reason } })
        : callGateway('withdrawAmount', { body: { ...ofAmount, reason } }),
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  const named = (address: string) => sponsors.find((one) => one.sponsor_address === address);
  const own = named(sponsor);
  const receiver = to === null ? undefined : named(to);
  const isConfirmed = to !== null && typedEnd(to) === confirmation.trim().toLowerCase();
  const isAfterLoss = loss !== '' || [check.error, error].some(isLossUnexamined);
  const isAccepted = isAmountRead && check.isSuccess && !isPending;
  return (
    <Dialog title="Withdraw funds" open onOpenChange={onDone}>
      <form onSubmit={submit} className="flex flex-col gap-4 p-5 pt-2">
        <p className="text-soft">
          The leading coin-pool sends all coins of this sponsor, or an amount, to one address. This
          cannot be undone.
        </p>
        {others.length > 0 && (
          <Choice
            label="Destination"
            options={{
              ...Object.fromEntries(others.map((one) => [one, one])),
              '': 'Another address',
            }}
            value={chosen}
            onChoose={setChosen}
          />
        )}
        {chosen === '' && (
          <TextInput
            label="To address"
            required
            autoFocus
            pattern="0x[0-9a-fA-F]{64}"
            placeholder="0x and 64 digits"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            hint="An address of WITHDRAW_ADDRESSES, in full."
          />
        )}
        <TextInput
          label="Amount"
          inputMode="decimal"
          pattern="\s*[0-9]{1,10}(\.[0-9]{1,9})?\s*"
          placeholder="everything"
          value={coins}
          onChange={({ target }) => setCoins(target.value)}
          hint={`In ${currency}, such as 0.5. Empty: everything.`}
        />
        <Facts>
          <Fact name="From">
            <code className="font-mono text-xs break-all">{sponsor}</code>
          </Fact>
          <Fact name="To">
            <code className="font-mono text-xs break-all">{to ?? '–'}</code>
            {receiver !== undefined && (
              <span className="block text-soft">a sponsor of the fleet</span>
            )}
          </Fact>
          {own !== undefined && isAmountRead && (
            <Preview own={own} receiver={receiver} part={part} />
          )}
        </Facts>
        {check.error && <Failure error={check.error} />}
        {isAfterLoss && (
          <TextInput
            label="After loss"
            maxLength={64}
            value={loss}
            onChange={({ target }) => setLoss(target.value)}
            hint="The id of the suspension, once you have looked up what the address has received."
          />
        )}
        <TextInput
          label="Reason"
          required
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          hint="Recorded with the action."
        />
        <TextInput
          label="Confirmation"
          required
          value={confirmation}
          onChange={({ target }) => setConfirmation(target.value)}
          hint="Type the last eight digits of the destination."
        />
        {error && <Failure error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed || !isAccepted}>
            Withdraw
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The amount, the remainder, and the receiver's balance then if it is a sponsor of the fleet. */
function Preview({
  own,
  receiver,
  part,
}: {
  readonly own: SponsorStatus;
  readonly receiver: SponsorStatus | undefined;
  /** Null: all funds. */
  readonly part: bigint | null;
}) {
  const balance = BigInt(own.balance);
  const amount = part ?? balance;
  return (
    <>
      <Fact name="Amount">
        <Coins amount={String(amount)} exact />
        {part === null && <> in {groupDigits(String(countOf(own.coins)))} gas coins</>}
      </Fact>
      <Fact name="Remains">
        {part === null ? (
          'nothing but gas coins that are not worth their gas'
        ) : (
          <>
            <Coins amount={String(balance - amount)} exact />, less the gas
          </>
        )}
      </Fact>
      {receiver !== undefined && (
        <Fact name="There then">
          <Coins amount={String(BigInt(receiver.balance) + amount)} exact />
          {part === null && ', less the gas'}
        </Fact>
      )}
    </>
  );
}

/** An id that no other dialog has. `crypto.randomUUID` needs HTTPS. */
function newRequest(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}

const isLossUnexamined = (error: Error | null) =>
  error instanceof GatewayError && error.code === 'LOSS_NOT_EXAMINED';

const countOf = (coins: Readonly<Record<string, number>>) =>
  Object.values(coins).reduce((sum, count) => sum + count, 0);
