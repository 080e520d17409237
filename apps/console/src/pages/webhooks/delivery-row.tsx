import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callGateway } from '../../api/call-gateway.js';
import type { Delivery, DeliveryAttempt } from '../../generated/gateway-types.js';
import { deliveryQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Identifier, Moment } from '../../elements/facts.js';
import { Failure, Loaded } from '../../elements/states.js';
import { formatDuration } from '../../format/times.js';
import { readMessage } from './read-message.js';

const tones = { delivered: 'good', waiting: 'warn', undelivered: 'bad' } as const;

/** One message: closed a line, open its attempts and the button that sends it again. */
export function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, type, url, status, created_at: time, next_attempt_at: next, attempts } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="border-b border-line last:border-0">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-sunken/60">
          <span className="w-24">
            <Badge tone={tones[status]}>{status}</Badge>
          </span>
          <span className="w-48 font-medium max-md:flex-1">{type}</span>
          <span
            className="min-w-0 flex-1 truncate text-soft max-md:basis-full max-md:whitespace-normal max-md:break-all"
            title={url}
          >
            {url}
          </span>
          <span className="text-xs text-soft">
            {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
          </span>
          <Moment at={time} />
        </summary>
        <div className="flex flex-col gap-3 border-t border-line bg-sunken/40 px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Identifier id={id} whole />
            <Redeliver id={id} />
          </div>
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.at} attempt={attempt} />
          ))}
          {next !== null && (
            <p className="text-soft">
              {next > Date.now() ? (
                <>
                  Next attempt: <Moment at={next} />
                </>
              ) : (
                'The next attempt is due.'
              )}
            </p>
          )}
          {isOpen && <Message id={id} />}
        </div>
      </details>
    </li>
  );
}

/** The body of the message, with a link to its sponsorship. */
function Message({ id }: { readonly id: string }) {
  const query = useQuery(deliveryQuery(id));
  return (
    <Loaded query={query} lines={2}>
      {({ body }) => {
        const { text, reservationId } = readMessage(body);
        return (
          <>
            {reservationId !== null && (
              <Link
                to="/sponsorships/$id"
                params={{ id: String(reservationId) }}
                className="self-start text-accent underline-offset-2 hover:underline"
              >
                Sponsorship {reservationId}
              </Link>
            )}
            <pre
              tabIndex={0}
              aria-label="Message"
              role="group"
              className="max-h-80 overflow-auto rounded-md bg-surface p-2 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap"
            >
              {text}
            </pre>
          </>
        );
      }}
    </Loaded>
  );
}

function Redeliver({ id }: { readonly id: string }) {
  const { may } = useCaller();
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => callGateway('redeliverWebhook', { path: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  if (!may.sponsors && !may.operates) return null;
  return (
    <>
      <Button disabled={again.isPending} onClick={() => again.mutate()}>
        Send again
      </Button>
      {again.error && <Failure error={again.error} />}
    </>
  );
}

/** One attempt, with what the receiver answered. */
export function AttemptLine({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { at, duration_ms: ms, status, error, answer } = attempt;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-3">
        <Moment at={at} />
        <Badge tone={error === null ? 'good' : 'bad'}>{status ?? 'no answer'}</Badge>
        <span className="figures text-soft">{formatDuration(ms)}</span>
        {error !== null && <span className="text-bad">{error}</span>}
      </p>
      {answer !== '' && (
        <pre
          tabIndex={0}
          className="max-h-40 overflow-auto rounded-md bg-surface p-2 font-mono text-xs whitespace-pre-wrap"
        >
          {answer}
        </pre>
      )}
    </div>
  );
}
