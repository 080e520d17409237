import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { SponsorStatus } from '@forecourt/contracts';
import {
  HeldKey,
  type HeldScheme,
  KeyServer,
  type Protocol,
} from '@forecourt/testing/key-services';
import {
  type Answer,
  buildSponsored,
  call,
  executeTx,
  type Reservation,
} from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { formsOf } from './forms-of-key.js';

const SECRETS = [
  'sidecar-secret-1',
  'vault-secret-2',
  'aws-secret-3',
  'azure-secret-4',
  'google-secret-5',
];
const FUNDS = 20_000_000_000n;
const COINS = 10;
const kinds: [Protocol, HeldScheme][] = [
  ['sidecar', 'ed25519'],
  ['sui-sidecar', 'secp256k1'],
  ['vault', 'ed25519'],
  ['aws-kms', 'ed25519'],
  ['aws-kms', 'secp256k1'],
  ['gcp-kms', 'ed25519'],
  ['azure-kv', 'secp256k1'],
];
const servers = await Promise.all(
  kinds.map(([protocol, scheme]) => KeyServer.start({ protocol, scheme })),
);
const [sidecar, , vault, , , gcp] = servers as [KeyServer, KeyServer, KeyServer, ...KeyServer[]];
const local = new HeldKey('ed25519');
const localSecret = local.keypair.getSecretKey();
let entries: string[] = [];

const system = useSystem((files) => {
  const account = {
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `http://${gcp!.host}/token`,
    credential_source: { file: files.write('subject', SECRETS[4]!) },
  };
  const more: Partial<Record<Protocol, Record<string, string>>> = {
    sidecar: { token: SECRETS[0]! },
    vault: { token: SECRETS[1]! },
    'azure-kv': {
      tenant: 't',
      'client-id': 'c',
      'client-secret-file': files.write('azure', SECRETS[3]!),
    },
  };
  entries = servers.map((server, index) => server.entry(more[kinds[index]![0]]));
  return {
    gateways: 1,
    coinPools: 1,
    executors: 2,
    sponsor: { address: local.address, secret: localSecret },
    sponsorKeysFile: files.write('keys', [localSecret, ...entries].join('\n')),
    env: {
      POOL_TARGET_COINS: String(COINS),
      POOL_MIN_COINS: String(COINS),
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: SECRETS[2]!,
      GOOGLE_APPLICATION_CREDENTIALS: files.write('google.json', JSON.stringify(account)),
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${files.path}`,
    },
  };
});

const writeKeys = (...texts: readonly string[]) =>
  writeFileSync(system.files.pathOf('keys'), texts.join('\n'));
const reserveFrom = (sponsor_address?: string): Promise<Answer> =>
  call(system.application, 'POST', '/v1/reserve_gas', {
    gas_budget: 10_000_000,
    reserve_duration_secs: 60,
    ...(sponsor_address !== undefined && { sponsor_address }),
  });
const codeOf = ({ status, headers }: Answer) => [status, headers.get('error-code')];

async function statusOf(address: string): Promise<SponsorStatus> {
  const { body } = await call(system.application, 'GET', '/v1/sponsors');
  const { sponsors } = body.result as unknown as { sponsors: SponsorStatus[] };
  return sponsors.find((one) => one.sponsor_address === address)!;
}

async function untilFilled(address: string): Promise<void> {
  await system.until(async () => (await statusOf(address)).coins.available >= COINS);
}

/** A reservation of this sponsor, and a transaction for it. */
async function prepared(address: string) {
  const { body } = await reserveFrom(address);
  const reservation = body.result as unknown as Reservation;
  const transaction = await buildSponsored(system.application, reservation);
  return { execute: () => executeTx(system.application, reservation, transaction) };
}

afterEach(() => {
  for (const server of servers) Object.assign(server, { fault: null, delayMs: 0 });
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

describe('sponsors whose keys services hold', () => {
  it('fill their pools and pay for transactions, with every kind of service', async () => {
    for (const { key } of servers) await system.control.mint(key.address, FUNDS);
    for (const [index, { key }] of servers.entries()) {
      await untilFilled(key.address);
      const { answer } = await prepared(key.address).then(async ({ execute }) => ({
        answer: await execute(),
      }));
      expect(answer.body.effects?.status).toEqual({ status: 'success' });
      const kind = kinds[index]![0].replace('sui-', '');
      expect((await statusOf(key.address)).signer).toEqual({ kinds: [kind], signs: true });
    }
    const { body } = await call(system.application, 'GET', '/v1/fleet');
    const fleet = body.result as unknown as { sponsors: SponsorStatus[] };
    const signerKinds = fleet.sponsors.map(({ signer }) => signer?.kinds[0]).sort();
    expect(signerKinds).toEqual(
      [...kinds.map(([protocol]) => protocol.replace('sui-', '')), 'local'].sort(),
    );
  });

  it('stop paying while their service fails, and no others; then the same call is answered', async () => {
    const { address } = vault.key;
    const { execute } = await prepared(address);
    vault.fault = 'down';
    const began = performance.now();
    const answer = await execute();
    expect(codeOf(answer)).toEqual([503, 'SIGNER_UNREACHABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(performance.now() - began).toBeLessThan(10_000);
    // Has the coin-pool find out at once, not with its next check.
    for (let round = 0; round < 2; round++) {
      await call(system.application, 'POST', '/debug_health_check');
    }
    let refused: Answer = answer;
    await system.until(async () => {
      refused = await reserveFrom(address);
      return codeOf(refused)[1] === 'SIGNER_UNREACHABLE';
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await statusOf(address)).signer).toEqual({ kinds: ['vault'], signs: false });
    expect((await statusOf(address)).state).toBe('serving');
    const other = await prepared(sidecar.key.address);
    expect((await other.execute()).status).toBe(200);
    vault.fault = null;
    let repeated: Answer = answer;
    await system.until(async () => (repeated = await execute()).status === 200);
    expect(repeated.body.effects?.status).toEqual({ status: 'success' });
    await system.until(async () => (await reserveFrom(address)).status === 200);
    await system.endReservations();
    expect(await system.differences()).toEqual([]);
  });

  it.each(['wrong-key', 'wrong-signature', 'truncated'] as const)(
    'submit nothing when the service answers with a fault: %s',
    async (fault) => {
      const { execute } = await prepared(sidecar.key.address);
      sidecar.fault = fault;
      expect(codeOf(await execute())).toEqual([503, 'SIGNER_UNREACHABLE']);
      sidecar.fault = null;
      await system.until(async () => (await execute()).status === 200);
      await system.until(async () => (await reserveFrom(sidecar.key.address)).status === 200);
      await system.endReservations();
    },
  );

  it('move from this process to a service, and between services, without a failed call', async () => {
    const { address } = local;
    const first = await KeyServer.start({ protocol: 'sidecar', key: local });
    const second = await KeyServer.start({ protocol: 'vault', key: local });
    const [one, two] = [first.entry(), second.entry({ token: SECRETS[1]! })];
    let isOver = false;
    const statuses: number[] = [];
    const client = async () => {
      while (!isOver) statuses.push((await (await prepared(address)).execute()).status);
    };
    const running = Promise.all([client(), client()]);
    const untilFurtherCalls = async () => {
      const enough = statuses.length + 5;
      await system.until(async () => statuses.length >= enough);
    };
    const untilKinds = (...expected: string[]) =>
      system.until(
        async () => String((await statusOf(address)).signer?.kinds) === String(expected),
      );
    writeKeys(one, localSecret, ...entries);
    await untilKinds('sidecar', 'local');
    await untilFurtherCalls();
    writeKeys(one, two, ...entries);
    await untilKinds('sidecar', 'vault');
    await untilFurtherCalls();
    await first.stop();
    const signed = second.requests.length;
    await system.until(async () => second.requests.length > signed + 5);
    writeKeys(two, ...entries);
    await untilKinds('vault');
    await untilFurtherCalls();
    isOver = true;
    await running;
    expect(new Set(statuses)).toEqual(new Set([200]));
    writeKeys(localSecret, ...entries);
    await untilKinds('local');
    await second.stop();
  });

  it('show no secret in logs, metrics, answers, or the heap of the gateway', async () => {
    const secrets = [...SECRETS, ...formsOf(localSecret)];
    const texts: string[] = [];
    for (const app of ['gateway', 'coin-pool', 'executor'] as const) {
      for (const service of system.services(app)) {
        texts.push(await service.log(), await (await fetch(service.metricsUrl)).text());
      }
    }
    for (const path of ['/v1/fleet', '/v1/sponsors']) {
      texts.push(JSON.stringify((await call(system.application, 'GET', path)).body));
    }
    // The gateway remembers an open reservation with its sponsor, which shows that the snapshot can be read.
    expect((await reserveFrom(local.address)).status).toBe(200);
    const snapshots = () =>
      readdirSync(system.files.path).filter((name) => name.endsWith('.heapsnapshot'));
    const { pid } = system.services('gateway')[0]!;
    process.kill(pid!, 'SIGUSR2');
    const read = () => readFileSync(system.files.pathOf(snapshots()[0]!), 'latin1');
    await system.until(async () => snapshots().length > 0 && read().trimEnd().endsWith('}'));
    texts.push(read());
    expect(texts.at(-1)).toContain(local.address);
    for (const secret of secrets) {
      expect(texts.filter((text) => text.includes(secret)).map((text) => text.length)).toEqual([]);
    }
    const metrics = texts.join('\n');
    expect(metrics).toContain('forecourt_signer_requests_total{');
    expect(metrics).toMatch(/forecourt_signer_up\{signer="vault:\/\/[^"]+",sponsor="0x\w+"\} 1/);
  });
});
