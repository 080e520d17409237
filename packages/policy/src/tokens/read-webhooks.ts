import {
  fleetEvents,
  MAX_WEBHOOK_URL_LENGTH,
  type TokenEvent,
  tokenEvents,
  type WebhookEvent,
  webhookEvents,
} from '@forecourt/contracts';
import { parseHttpUrl } from '../access/index.js';
import type { YamlValue } from '../yaml/index.js';

/** An HTTP service that receives events, as a file of tokens describes it. */
export interface Webhook {
  /** With its user name and password. */
  readonly url: string;
  /** Without them. Together with its owner it identifies the webhook. */
  readonly shownUrl: string;
  readonly events: readonly WebhookEvent[];
  readonly secrets: WebhookSecrets;
}

/** One secret, or two while the receiver changes from one to the other; or the path of a file with them. */
type WebhookSecrets = { readonly values: readonly string[] } | { readonly file: string };

const MOST_WEBHOOKS = 1_000;
const MOST_SECRETS = 2;
const SECRET_BYTES = { min: 24, max: 64 } as const;
const SECRET = /^whsec_(?<base64>[A-Za-z0-9+/]+={0,2})$/;

/** The events that a list of webhooks may name. */
type Choice = 'token' | 'all';

/** The webhooks of a token: they receive the events of its sponsorships and budgets. Throws `InvalidFile`. */
export function readTokenWebhooks(value: YamlValue | null): readonly Webhook[] {
  return readWebhooks(value, 'token');
}

/** The webhooks of the fleet's operator: they receive every event. Throws `InvalidFile`. */
export function readFleetWebhooks(value: YamlValue | null): readonly Webhook[] {
  return readWebhooks(value, 'all');
}

function readWebhooks(value: YamlValue | null, choice: Choice): readonly Webhook[] {
  if (value === null) return [];
  const items = value.items();
  if (items.length > MOST_WEBHOOKS) value.fail(`must be at most ${MOST_WEBHOOKS}`);
  const urls = new Set<string>();
  return items.map((item) => {
    const webhook = readWebhook(item, choice);
    if (urls.has(webhook.shownUrl)) item.fail(`has the URL ${webhook.shownUrl} twice`);
    urls.add(webhook.shownUrl);
    return webhook;
  });
}

function readWebhook(value: YamlValue, choice: Choice): Webhook {
  const map = value.map();
  const url = map.require('url').parse(readUrl);
  const events = map
    .take('events')
    ?.list()
    .map((one) => readEvent(one, choice));
  const secrets = readSecrets(value, map);
  map.refuseOthers('a webhook');
  return {
    url: url.href,
    shownUrl: withoutCredentials(url),
    events: [...new Set(events ?? (choice === 'all' ? webhookEvents : tokenEvents))],
    secrets,
  };
}

function readUrl(text: string): URL {
  const url = parseHttpUrl(text);
  if (url.hash !== '') throw new Error('must not have a part after #, which is never sent');
  if (url.href.length > MAX_WEBHOOK_URL_LENGTH) {
    throw new Error(`must have at most ${MAX_WEBHOOK_URL_LENGTH} characters`);
  }
  return url;
}

/** The URL of a webhook without user name and password. */
function withoutCredentials(url: URL): string {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  return copy.href;
}

function readEvent(value: YamlValue, choice: Choice): WebhookEvent {
  return value.parse((text) => {
    const event = webhookEvents.find((one) => one === text);
    if (!event) throw new Error(`must be a list of ${webhookEvents.join(', ')}; not ${text}`);
    if (choice === 'all' || isOfToken(event)) return event;
    throw new Error(
      `has ${event}, which concerns the whole fleet: move it to fleet-webhooks. A token has ${tokenEvents.join(', ')}`,
    );
  });
}

function isOfToken(event: WebhookEvent): event is TokenEvent {
  return !fleetEvents.some((one) => one === event);
}

function readSecrets(value: YamlValue, map: YamlValue): WebhookSecrets {
  const secret = map.take('secret');
  const file = map.take('secret-file');
  if (file !== null) {
    if (secret !== null) file.fail('and secret are both given: remove one of them');
    return { file: file.text() };
  }
  if (secret === null) return value.fail('has no secret and no secret-file: add one of them');
  const values = secret.list().map((one) => one.parse(readSecret));
  if (values.length > MOST_SECRETS) secret.fail(TOO_MANY_SECRETS);
  return { values };
}

/** The secrets of a `secret-file`: one in each line. Throws `Error` with the required form. */
export function readSecretFile(text: string): readonly string[] {
  const secrets = text.split(/\s+/).filter(Boolean).map(readSecret);
  if (secrets.length === 0) throw new Error(`is empty: it ${SECRET_FORM}`);
  if (secrets.length > MOST_SECRETS) throw new Error(TOO_MANY_SECRETS);
  return secrets;
}

const TOO_MANY_SECRETS = `must be at most ${MOST_SECRETS}: the receiver’s current secret and its next one`;
const SECRET_FORM = `must be whsec_ and base64 of ${SECRET_BYTES.min} to ${SECRET_BYTES.max} random bytes, as this prints: echo "whsec_$(openssl rand -base64 32)"`;

/** Never repeats the secret in its error. */
function readSecret(text: string): string {
  const base64 = SECRET.exec(text)?.groups?.['base64'] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  const isComplete = bytes.toString('base64') === base64;
  if (isComplete && bytes.length >= SECRET_BYTES.min && bytes.length <= SECRET_BYTES.max) {
    return text;
  }
  throw new Error(SECRET_FORM);
}
