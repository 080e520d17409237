import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callGateway } from '../../api/call-gateway.js';
import type { ConfiguredWebhook, DeliveryAttempt } from '../../generated/gateway-types.js';
import { deliveriesQuery, webhooksQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Badge } from '../../elements/badge.js';
import { Button } from '../../elements/button.js';
import { Moment, NONE } from '../../elements/facts.js';
import { Segments } from '../../elements/fields.js';
import { Page } from '../../elements/page.js';
import { Panel } from '../../elements/panel.js';
import { PlainTable } from '../../elements/plain-table.js';
import { Empty, Failure, Loaded, Loading } from '../../elements/states.js';
import { AttemptLine, DeliveryRow } from './delivery-row.js';

const statuses = {
  '': 'All',
  delivered: 'Delivered',
  waiting: 'Waiting',
  undelivered: 'Undelivered',
};

/** Webhooks, their deliveries and every attempt with the receiver's answer. */
export function WebhooksPage() {
  const { may } = useCaller();
  const query = useQuery(webhooksQuery);
  return (
    <Page
      title="Webhooks"
      lead={may.reads ? 'Receivers of all tokens and of the fleet.' : 'Receivers of your token.'}
    >
      <Panel title="Endpoints" flush>
        <Loaded query={query}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <Empty title="No webhook is configured">
                The operator adds webhooks to the token’s entry in TOKENS_FILE.
              </Empty>
            ) : (
              <Endpoints webhooks={webhooks} />
            )
          }
        </Loaded>
      </Panel>
      <Deliveries />
    </Page>
  );
}

function Endpoints({ webhooks }: { readonly webhooks: readonly ConfiguredWebhook[] }) {
  const { may } = useCaller();
  const client = useQueryClient();
  const [tested, setTested] = useState<string | null>(null);
  const test = useMutation({
    mutationFn: async (url: string) => {
      setTested(url);
      return (await callGateway('testWebhook', { body: { url } })).result;
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const again = useMutation({
    mutationFn: async (url: string) =>
      (await callGateway('redeliverWaiting', { body: { url } })).result,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['webhooks'] });
      await client.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  const mayTest = may.sponsors || may.operates;
  return (
    <>
      <PlainTable
        label="Endpoints"
        rows={webhooks}
        keyOf={({ token, url }) => `${token} ${url}`}
        columns={[
          {
            name: 'URL',
            render: ({ url, events }) => (
              <div>
                <p className="min-w-40 font-medium break-all">{url}</p>
                <p className="text-xs text-soft">{events.join(', ')}</p>
              </div>
            ),
          },
          { name: 'Owner', render: ({ token }) => token ?? 'the fleet' },
          { name: 'State', render: (webhook) => <EndpointState webhook={webhook} /> },
          { name: 'Last success', render: ({ last_success_at: time }) => when(time) },
          { name: 'Last failure', render: ({ last_failure_at: time }) => when(time) },
          { name: 'Waiting', numeric: true, render: ({ waiting }) => waiting },
          ...(mayTest
            ? [
                {
                  name: 'Actions',
                  render: ({ url, waiting, ended_at: ended }: ConfiguredWebhook) => (
                    <div className="flex flex-wrap gap-2">
                      <Button disabled={test.isPending} onClick={() => test.mutate(url)}>
                        Send test
                      </Button>
                      {waiting > 0 && ended === null && (
                        <Button disabled={again.isPending} onClick={() => again.mutate(url)}>
                          Send all waiting
                        </Button>
                      )}
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
      <div role="status">
        {test.data !== undefined && tested !== null && (
          <TestAnswer url={tested} attempt={test.data} />
        )}
      </div>
      <p role="status" className="border-t border-line px-4 py-2 empty:hidden">
        {again.data !== undefined && `${again.data.deliveries} deliveries are due now.`}
      </p>
      {test.error && <Failure error={test.error} />}
      {again.error && <Failure error={again.error} />}
    </>
  );
}

const when = (time: number | null) => (time === null ? NONE : <Moment at={time} />);

function EndpointState({ webhook }: { readonly webhook: ConfiguredWebhook }) {
  const { ended_at: ended, last_success_at: success, last_failure_at: failure } = webhook;
  if (ended !== null) return <Badge tone="bad">Ended by 410</Badge>;
  if (failure !== null && failure > (success ?? 0)) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="warn">Failing</Badge>
        {webhook.last_error !== null && (
          <span className="text-bad [overflow-wrap:anywhere]">{webhook.last_error}</span>
        )}
      </span>
    );
  }
  return success === null ? <Badge>Unused</Badge> : <Badge tone="good">Receiving</Badge>;
}

function TestAnswer({ url, attempt }: { readonly url: string; readonly attempt: DeliveryAttempt }) {
  return (
    <div className="border-t border-line px-4 py-3">
      <p className="mb-1 font-medium break-all">Test of {url}</p>
      <AttemptLine attempt={attempt} />
    </div>
  );
}

function Deliveries() {
  const [status, setStatus] = useState<keyof typeof statuses>('');
  const query = useInfiniteQuery(deliveriesQuery(status === '' ? {} : { status }));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Panel
      title="Deliveries"
      note="newest first"
      flush
      actions={<Segments label="State" options={statuses} value={status} onChoose={setStatus} />}
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data !== undefined && rows.length === 0 && (
        <Empty title="No delivery">Deliveries appear here with the first event of a webhook.</Empty>
      )}
      <ul>
        {rows.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Panel>
  );
}
