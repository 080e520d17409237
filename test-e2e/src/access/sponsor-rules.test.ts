import { createSponsorKey } from '@forecourt/testing/system';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  type Reservation,
  reserved,
} from '../support/application.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';
import { buildTx } from '../support/unpaid-transaction.js';
import { useSystem } from '../support/use-system.js';

const keys = [createSponsorKey(), createSponsorKey()];
const [first, second] = keys.map(({ address }) => address);
const STRANGER = `0x${'bad0'.repeat(16)}`;

const rules = (more = '') => `access-controller:
  access-policy: deny-all
  sponsors: { marketing: '${second}', nowhere: '${STRANGER}' }
  rules:
    - { token: shop, sponsor: marketing, action: allow }
    - { token: lost, sponsor: nowhere, action: allow }
    - { token: default, action: allow }${more}
`;

/** Two sponsors; the second has a name. */
const system = useSystem((files) => ({
  sponsor: keys[0]!,
  sponsorSecrets: keys.map(({ secret }) => secret),
  env: {
    POOL_TARGET_COINS: '20',
    ACCESS_RULES_FILE: files.write('rules.yaml', rules()),
    TOKENS_FILE: files.write(
      'tokens.yaml',
      tokensFile(
        tokenEntry('shop', ['role: sponsor', 'sponsors: [marketing]']),
        tokenEntry('lost', ['role: sponsor']),
      ),
    ),
  },
}));

let shop: Application;
let lost: Application;
beforeAll(async () => {
  await system.control.mint(second!, 100_000_000_000n);
  shop = applicationOf('shop', system.application);
  lost = applicationOf('lost', system.application);
  await system.until(async () => (await reserveFrom(shop)).status === 200);
});
const reserveFrom = (application: Application, sponsor_address?: string) =>
  call(application, 'POST', '/v1/reserve_gas', {
    gas_budget: 10_000_000,
    reserve_duration_secs: 60,
    ...(sponsor_address !== undefined && { sponsor_address }),
  });

describe('a rule that names a sponsor', () => {
  it('chooses whose coins are reserved, and allows transactions that this sponsor pays', async () => {
    const reservation = await reserved(shop);
    expect(reservation.sponsor_address).toBe(second);
    const transaction = await buildSponsored(shop, reservation);
    expect((await executeTx(shop, reservation, transaction)).status).toBe(200);
    expect((await reserved(system.application)).sponsor_address).toBe(first);
    const built = await buildTx(shop, new Ed25519Keypair(), readClockProgram());
    expect((built.body.result as unknown as Reservation).sponsor_address).toBe(second);
  });

  it('does not allow reservations of another sponsor, which the token may not choose either', async () => {
    const chosen = await reserveFrom(shop, second);
    expect(chosen.status).toBe(200);
    const other = await reserveFrom(shop, first);
    expect([other.status, other.headers.get('error-code')]).toEqual([403, 'FORBIDDEN']);
  });

  it('says so where the fleet has no such sponsor', async () => {
    const answer = await reserveFrom(lost);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer.body)).toContain(STRANGER);
  });

  it('applies after a reload, and a name that no sponsor has changes nothing', async () => {
    const reload = () => call(system.application, 'GET', '/v1/reload_access_controller');
    system.files.write('rules.yaml', rules().replace('sponsor: marketing', 'sponsor: sales'));
    const mistaken = await reload();
    expect([mistaken.status, mistaken.body.error]).toEqual([
      400,
      expect.stringMatching(/line 5.*names the sponsor sales.*marketing, nowhere/),
    ]);
    expect((await reserved(shop)).sponsor_address).toBe(second);
    system.files.write(
      'rules.yaml',
      rules().replace(`marketing: '${second}'`, `marketing: '${first}'`),
    );
    expect((await reload()).status).toBe(200);
    expect((await reserved(shop)).sponsor_address).toBe(first);
  });
});
