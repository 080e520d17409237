import { Command } from 'commander';
import type {
  DeliveriesResponse,
  RedeliverResponse,
  TestWebhookResponse,
  WebhookAttempt,
  WebhookDelivery,
  WebhooksResponse,
  WebhookStatus,
} from '@forecourt/contracts';
import { callRoute } from '../terminal/call-route.js';
import { readConnection } from '../terminal/connection-config.js';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';

interface OutputOptions {
  readonly json?: boolean;
}

interface DeliveriesOptions extends OutputOptions {
  readonly status?: string;
  readonly url?: string;
  readonly limit: string;
}

/** `webhooks`, with its subcommands. */
export function webhooksCommand(): Command {
  return new Command('webhooks')
    .option('--json', 'for programs')
    .action(async (options: OutputOptions) => {
      const path = '/v1/webhooks';
      const { webhooks } = await callRoute<WebhooksResponse['result']>(
        readConnection(),
        'GET',
        path,
      );
      print({ webhooks }, formatWebhooks(webhooks), options);
    })
    .addCommand(testCommand())
    .addCommand(deliveriesCommand())
    .addCommand(redeliverCommand());
}

function testCommand(): Command {
  return new Command('test')
    .description('send the event webhook.test now, and show the answer')
    .argument('<url>', 'as `forecourt webhooks` shows it')
    .option('--json', 'for programs')
    .addHelpText('after', '\nExit code 1: it was not received.')
    .action(async (url: string, options: OutputOptions) => {
      const path = '/v1/webhooks/test';
      const attempt = await callRoute<TestWebhookResponse['result']>(
        readConnection(),
        'POST',
        path,
        { url },
      );
      print(attempt, formatAttempt(attempt), options);
      if (attempt.error !== null) process.exitCode = EXIT.negative;
    });
}

function deliveriesCommand(): Command {
  return new Command('deliveries')
    .description('show the latest deliveries')
    .option('--status <status>', 'waiting, delivered or undelivered')
    .option('--url <url>', 'of this webhook only')
    .option('--limit <number>', 'the most deliveries to show', '50')
    .option('--json', 'for programs, with all attempts')
    .action(async ({ status, url, limit, ...options }: DeliveriesOptions) => {
      const filters = Object.entries({ status, url, limit }).filter(([, value]) => value);
      const query = new URLSearchParams(filters as [string, string][]);
      const { data } = await callRoute<DeliveriesResponse['result']>(
        readConnection(),
        'GET',
        `/v1/webhook_deliveries?${query.toString()}`,
      );
      print({ deliveries: data }, formatDeliveries(data), options);
    });
}

function redeliverCommand(): Command {
  return new Command('redeliver')
    .description('deliver again, with the same id')
    .argument('<id>', 'as `forecourt webhooks deliveries` shows it')
    .option('--json', 'for programs')
    .action(async (id: string, options: OutputOptions) => {
      const path = `/v1/webhook_deliveries/${encodeURIComponent(id)}/redeliver`;
      const delivery = await callRoute<RedeliverResponse['result']>(readConnection(), 'POST', path);
      print(delivery, formatDeliveries([delivery]), options);
    });
}

function print(value: object, text: string, { json = false }: OutputOptions): void {
  console.log(json ? formatJson(value) : text);
}

/** Webhooks as text for people. */
export function formatWebhooks(webhooks: readonly WebhookStatus[]): string {
  if (webhooks.length === 0) return 'This token has no webhooks: add them to TOKENS_FILE.';
  const heading = ['token', 'url', 'state', 'waiting', 'last success', 'last failure'];
  const rows = webhooks.map((one) => [
    one.token ?? '(fleet)',
    one.url,
    one.ended_at === null ? 'on' : 'ended',
    String(one.waiting),
    formatTime(one.last_success_at),
    formatTime(one.last_failure_at),
  ]);
  return formatTable([heading, ...rows]);
}

/** Deliveries as text for people, each with its last attempt. */
export function formatDeliveries(deliveries: readonly WebhookDelivery[]): string {
  if (deliveries.length === 0) return 'There are no such deliveries.';
  const heading = ['id', 'event', 'time', 'status', 'attempts', 'last attempt', 'url'];
  const rows = deliveries.map(({ id, type, created_at, status, attempts, url }) => {
    const last = attempts.at(-1);
    const result = last === undefined ? 'none yet' : (last.error ?? `${last.status}`);
    return [id, type, formatTime(created_at), status, String(attempts.length), result, url];
  });
  return formatTable([heading, ...rows]);
}

/** An attempt as text for people. */
export function formatAttempt(attempt: WebhookAttempt): string {
  const { status, error, answer, duration_ms } = attempt;
  const result = error === null ? `Received with status ${status}` : `Not received: ${error}`;
  const rows = [[`${result}, after ${duration_ms} ms`]];
  return formatTable(answer === '' ? rows : [...rows, [`It answered: ${answer}`]]);
}

function formatTime(ms: number | null): string {
  return ms === null ? 'never' : new Date(ms).toISOString();
}
