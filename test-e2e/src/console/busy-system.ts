import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { SystemOptions } from '@forecourt/testing/system';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  reserved,
  sponsor,
} from '../support/application.js';
import type { TestSystem } from '../support/test-system.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';
import { Receiver, MARKUP } from './receiver.js';

/** Where withdrawals may go. */
export const SAFE = `0x${'5afe'.padStart(64, '0')}`;

/** A user who may have one transaction sponsored in a day. */
export const NEWCOMER = new Ed25519Keypair();

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Executions of this token end in its quarantine limit. */
export const LIMITED = 'racer';

/** A writer of the system's files. */
interface Files {
  write(name: string, content: string): string;
}

/**
 * A system with history, events and their index, webhooks, rules, and a token of each role: `shop`, `ops`,
 * `audit`.
 */
export function busyOptions(files: Files, receiver: Receiver, note = MARKUP): SystemOptions {
  const webhooks = ['/hooks', '/failing'].flatMap((path) => [
    `  - url: ${receiver.urlOf(path)}`,
    `    secret: ${SECRET}`,
  ]);
  const tokens = tokensFile(
    tokenEntry('shop', [
      'role: sponsor',
      'rate-limit: { requests: 10_000, window: 1 second }',
      'budget: { value: 500 IOTA, window: 1 day }',
      'webhooks:',
      ...webhooks,
    ]),
    tokenEntry('game'),
    tokenEntry(LIMITED, [
      'role: sponsor',
      'quarantine: { transactions: 2, window: 1 hour }',
      // Two transactions in quarantine use up 83 % of it.
      'budget: { value: 24_000_000, window: 1 day }',
    ]),
    tokenEntry('ops', ['role: operator']),
    tokenEntry('audit', ['role: auditor']),
    tokenEntry('former', ['role: sponsor', 'expires: 2026-01-01T00:00:00Z']),
  );
  const rules = `access-controller:
  access-policy: allow-all
  sponsor-budget: { value: 5_000 IOTA, window: 1 day }
  rules:
    - name: no minting
      move-call-function: '0x2::coin::mint'
      message: '${note}'
      action: deny
    - name: newcomers
      sender-address: '${NEWCOMER.toIotaAddress()}'
      requests: { value: '>1', window: 1 day, count-by: [sender-address] }
      action: deny
    - name: fair use
      sender-address: '*'
      requests: { value: '<=100000', window: 1 day, count-by: [sender-address] }
      action: allow
`;
  return {
    history: true,
    events: 1,
    eventIndex: true,
    env: {
      TOKENS_FILE: files.write('tokens.yaml', tokens),
      ACCESS_RULES_FILE: files.write('rules.yaml', rules),
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WITHDRAW_ADDRESSES: SAFE,
      EXPLORER_URL: 'https://explorer.example/transaction/{digest}',
    },
  };
}

export const as = (system: TestSystem, name: string): Application =>
  applicationOf(name, system.application);

/**
 * Has transactions executed, fail, be refused and be quarantined, pauses a token, and waits until history has
 * it all.
 */
export async function makeActivity(
  system: TestSystem,
  { size = 6, note = MARKUP } = {},
): Promise<void> {
  const shop = as(system, 'shop');
  // Nothing is recorded before the pool's leader has learned that there is a history.
  await system.until(async () => {
    await sponsor(shop);
    return (await usageOf(system)).transactions > 0;
  });
  for (let count = 0; count < size; count++) {
    await sponsor(count % 3 === 2 ? as(system, 'game') : shop);
  }
  await sponsor(shop, { build: (tx) => system.demo.abort(tx, 7) });
  await refuseSome(system, shop, note);
  await reserved(shop);
  await fillQuarantine(system);
  await call(as(system, 'ops'), 'POST', '/v1/pause', { token: 'game', reason: note });
  await system.until(async () => {
    const { failed, refused } = await usageOf(system);
    return failed > 0 && refused > 3;
  });
}

/** The ids of a failed sponsorship and of a quarantined one. */
export async function findIds(
  system: TestSystem,
): Promise<{ failed: number; quarantined: number }> {
  const idOf = async (filter: string) => {
    const { body } = await call(as(system, 'ops'), 'GET', `/v1/sponsorships?${filter}&limit=1`);
    const { data } = body.result as unknown as { data: readonly { reservation_id: number }[] };
    return data[0]!.reservation_id;
  };
  return { failed: await idOf('outcome=failure'), quarantined: await idOf('status=quarantined') };
}

interface Figures {
  readonly transactions: number;
  readonly failed: number;
  readonly refused: number;
}

async function usageOf(system: TestSystem): Promise<Figures> {
  const { body } = await call(as(system, 'ops'), 'GET', '/v1/usage');
  return (body.result as unknown as { total: Figures }).total;
}

async function refuseSome(system: TestSystem, shop: Application, note: string): Promise<void> {
  await call(shop, 'POST', '/v1/reserve_gas', { gas_budget: note, reserve_duration_secs: 60 });
  const reservation = await reserved(shop);
  const transaction = await buildSponsored(shop, reservation, { gasBudget: 20_000_000 });
  await executeTx(shop, reservation, transaction);
  await call(as(system, 'ops'), 'POST', '/v1/reserve_gas', {
    gas_budget: 1,
    reserve_duration_secs: 60,
  });
}

/** The token reaches its limit of quarantined transactions: its next one is refused. */
async function fillQuarantine(system: TestSystem): Promise<void> {
  const racer = as(system, LIMITED);
  const most = 2;
  await system.control.fault({ kind: 'refuse', preset: 'equivocated', times: most });
  for (let count = 0; count < most; count++) {
    const reservation = await reserved(racer);
    const transaction = await buildSponsored(racer, reservation);
    void executeTx(racer, reservation, transaction).catch(() => undefined);
    await system.until(async () => (await system.totals()).coins.quarantined === BigInt(count + 1));
  }
  await sponsor(racer);
}
