import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Application, call } from '../support/application.js';
import { system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';
import { userOfShop } from './user-of-shop.js';

/** Route → who may call it, besides the configured caller, who may call all. */
const SPONSORING = ['sponsor', 'user'];
const READING = ['operator', 'auditor'];
const OPERATING = ['operator'];
const ACTING = ['sponsor', 'user', 'operator'];
const ANY = ['sponsor', 'user', 'operator', 'auditor'];
const PERMITTED: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/reserve_gas': SPONSORING,
  'POST /v1/release_gas': SPONSORING,
  'POST /v1/dry_run_tx': SPONSORING,
  'POST /v1/build_tx': SPONSORING,
  'POST /v1/execute_tx': SPONSORING,
  'GET /v1/fleet': READING,
  'GET /v1/explain': READING,
  'GET /v1/sponsors': READING,
  'GET /v1/pauses': READING,
  'GET /v1/access': READING,
  'POST /v1/explain_access': READING,
  'GET /v1/access/decisions': READING,
  'GET /v1/access/decisions/missing': READING,
  'GET /v1/actions': READING,
  'GET /v1/events_index': READING,
  'GET /v1/caller': ANY,
  'GET /v1/limits': ANY,
  'GET /v1/sponsorships': ANY,
  'GET /v1/sponsorships/count': ANY,
  'GET /v1/sponsorships/{reservation_id}': ANY,
  'GET /v1/transactions/{digest}': ANY,
  'GET /v1/refusals': ANY,
  'GET /v1/usage': ANY,
  'GET /v1/latency': ANY,
  'GET /v1/overview': READING,
  'GET /v1/webhooks': ANY,
  'POST /v1/webhooks/test': ACTING,
  'GET /v1/webhook_deliveries': ANY,
  'POST /v1/webhooks/redeliver_waiting': ACTING,
  'GET /v1/webhook_deliveries/{id}': ANY,
  'POST /v1/webhook_deliveries/{id}/redeliver': ACTING,
  'GET /v1/reload_access_controller': OPERATING,
  'POST /v1/events_index/backfill': OPERATING,
  'POST /v1/pause': OPERATING,
  'POST /v1/resume': OPERATING,
  'POST /v1/drain': OPERATING,
  'POST /v1/reconcile': OPERATING,
  'POST /v1/undrain': OPERATING,
  'POST /v1/check_withdrawal': OPERATING,
  'POST /v1/withdraw': OPERATING,
  'POST /v1/withdraw_amount': OPERATING,
  'POST /debug_health_check': OPERATING,
};

const callers: Readonly<Record<string, () => Application>> = {
  sponsor: () => applicationOf('shop', system.application),
  user: () => userOfShop(new Ed25519Keypair()),
  operator: () => applicationOf('admin', system.application),
  auditor: () => applicationOf('auditor', system.application),
};

/** Routes that need a token, as the OpenAPI document lists them. */
const routes: string[] = [];
beforeAll(async () => {
  const answer = await fetch(`${system.application.url}/openapi.json`);
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, { security: readonly object[] }>>;
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(methods)) {
      const isOpen = security.every((one) => Object.keys(one).length === 0);
      if (!isOpen && path !== '/rpc') routes.push(`${method.toUpperCase()} ${path}`);
    }
  }
});

/** Without a body and without parameters, no route changes anything. */
async function isPermitted(application: Application, route: string): Promise<boolean> {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  const answer = await call(application, method, path.replace(/\{\w+\}/, '1'));
  const lacksRole = answer.status === 403 && /^Token lacks the role /.test(answer.body.error ?? '');
  expect([route, answer.status]).not.toEqual([route, 401]);
  return !lacksRole;
}

describe('roles', () => {
  it('are declared here for every route that needs a token', () => {
    expect(routes.toSorted()).toEqual(Object.keys(PERMITTED).toSorted());
  });

  it.each(Object.keys(callers))('permit a %s its routes and no others', async (role) => {
    for (const route of routes) {
      const expected = PERMITTED[route]!.includes(role);
      expect([route, await isPermitted(callers[role]!(), route)]).toEqual([route, expected]);
    }
  });

  it('are all held by the configured caller', async () => {
    for (const route of routes) {
      expect([route, await isPermitted(system.application, route)]).toEqual([route, true]);
    }
  });
});
