import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import {
  type Answer,
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from './application.js';
import { useSystem } from './use-system.js';

const GATEWAYS = 10;
const EXECUTE = 'iota_executeTransactionBlock';
const COIN_DEPOSIT = 980_400n;
const COMPUTATION = 1_000_000n;

async function setRules(lines: string): Promise<void> {
  system.files.write('rules.yaml', `access-controller:\n${lines}\n`);
  const answer = await call(system.application, 'GET', '/v1/reload_access_controller');
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const system = useSystem((files) => ({
  gateways: GATEWAYS,
  env: {
    ACCESS_RULES_FILE: files.write(
      'rules.yaml',
      'access-controller:\n  access-policy: allow-all\n',
    ),
    ACCESS_AUDIT_FILE: files.pathOf('audit.jsonl'),
    ACCESS_HOOK_SECRET: 'shared',
    WATCH_ACCESS_FILES: 'false',
  },
}));

const gasUsed = ({ body }: Answer) => {
  const { gasUsed: gas } = body.effects as unknown as { gasUsed: Record<string, string> };
  const { computationCost, storageCost, storageRebate } = gas;
  return BigInt(computationCost!) + BigInt(storageCost!) - BigInt(storageRebate!);
};

interface Audited {
  readonly stage: string;
  readonly outcome: string;
  readonly rule: string | null;
  readonly digest: string;
  readonly dryRun?: boolean;
}
const audited = () =>
  readFileSync(system.files.pathOf('audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Audited);

describe('a limit of gas', () => {
  it('is spent exactly by ten gateways at once, and no unit more is ever held', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - name: forty
      gas-usage: { value: '<=400000000', window: 1 day }
      action: allow`);
    const users = Array.from({ length: 55 }, (_, i) => system.applications[i % GATEWAYS]!);
    await system.untilAvailable(60);
    const reservations = await Promise.all(users.map((at) => reserved(at)));
    const transactions = await Promise.all(
      reservations.map((reservation, i) => buildSponsored(users[i]!, reservation)),
    );
    await system.control.fault({ kind: 'latency', ms: 6_000, method: EXECUTE });
    const answers = await Promise.all(
      reservations.map((reservation, i) => executeTx(users[i]!, reservation, transactions[i]!)),
    );
    await system.control.clearFaults();
    const allowed = answers.filter(({ status }) => status === 200);
    // All were decided before the first had executed: 40 budgets of 10 000 000 fit.
    expect(allowed).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    const spent = allowed.reduce((sum, answer) => sum + gasUsed(answer), 0n);
    // What is held now is what was spent: the rest can be spent to the last unit, and no further.
    const left = 400_000_000n - spent;
    const reservation = await reserved(system.application, Number(left));
    // The last pays with several coins: their deposits and the cost of making new ones are held as well.
    const smashed = BigInt(reservation.gas_coins.length - 1);
    expect(smashed).toBeGreaterThan(0n);
    const replacing = smashed * (COIN_DEPOSIT + COMPUTATION);
    const lastFor = async (gasBudget: bigint) => {
      const options = { gasBudget: Number(gasBudget) };
      const transaction = await buildSponsored(system.application, reservation, options);
      return executeTx(system.application, reservation, transaction);
    };
    expect((await lastFor(left - replacing + 1n)).status).toBe(429);
    const last = await lastFor(left - replacing);
    expect(last.status).toBe(200);
    // The ledger gives the deposits of smashed coins back: that lowers its charge and not what is counted.
    expect(gasUsed(last)).toBeLessThan(0n);
    const cost = gasUsed(last) + replacing;
    const executor = await (await fetch(system.services('executor')[0]!.metricsUrl)).text();
    expect(executor).toContain(
      `gas_spent_smallest_unit_total{token="default",rule="forty"} ${spent + cost}`,
    );
    const decisions = await Promise.all(
      system.services('gateway').map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
    );
    const counted = decisions
      .join('\n')
      .matchAll(/access_decisions_total\{.*outcome="allow",rule="forty".*\} (\d+)/g);
    expect([...counted].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(41);
    const forty = audited().filter(({ rule }) => rule === 'forty');
    expect(new Set(forty.map(({ digest }) => digest)).size).toBe(41);
  }, 120_000);

  it('is kept for each user', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - move-call-function: '0x2::clock::timestamp_ms'
      gas-usage: { value: '<=0.0101 coins', window: 1 day, count-by: [sender-address] }
      action: allow`);
    const users = [new Ed25519Keypair(), new Ed25519Keypair()];
    const statuses = [];
    for (const user of [...users, ...users]) {
      statuses.push((await sponsor(system.application, { user })).answer.status);
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('gives back what a refused transaction held', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - gas-usage: { value: '<=10000000', window: 2 days }
      action: allow`);
    await system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    const refused = await sponsor(system.application);
    expect(refused.answer.status).toBe(400);
    expect((await sponsor(system.application)).answer.status).toBe(200);
  });

  it('of the whole sponsor holds whatever the rules allow', async () => {
    await setRules(`  access-policy: allow-all
  sponsor-budget: { value: 10_100_000, window: 3 days }`);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    const { answer } = await sponsor(system.applications[1]!);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3 * 86_000);
  });

  it('can be one of transactions', async () => {
    await setRules(`  access-policy: allow-all
  rules:
    - requests: { value: '>2', window: 1 day, count-by: [sender-address] }
      message: two a day
      action: deny`);
    const user = new Ed25519Keypair();
    const answers = [];
    for (let i = 0; i < 3; i++) {
      answers.push((await sponsor(system.applications[i]!, { user })).answer);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.body.error).toBe('Spending limit reached: two a day');
  });
});

describe('a denied transaction', () => {
  it.each([
    ['keep', 200],
    ['free', 400],
  ])('leaves its reservation as the file says: %s', async (fate, status) => {
    const denying = `  access-policy: allow-all
  denied-reservation: ${fate}
  rules:
    - ptb-command-count: '>1'
      action: deny`;
    await setRules(denying);
    const { application } = system;
    const reservation = await reserved(application);
    const two = await buildSponsored(application, reservation, {
      build: (tx) => {
        const target = '0x2::clock::timestamp_ms';
        tx.moveCall({ target, arguments: [tx.object('0x6')] });
        tx.moveCall({ target, arguments: [tx.object('0x6')] });
      },
    });
    expect((await executeTx(application, reservation, two)).status).toBe(403);
    const one = await buildSponsored(application, reservation);
    const answer = await executeTx(application, reservation, one);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.error).toMatch(/has expired/);
    expect(await system.control.submissionsOf(two.digest)).toBe(0);
  });

  it('of a dry run is sponsored, and written down', async () => {
    await setRules(`  access-policy: deny-all
  dry-run: true`);
    const { answer, transaction } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    expect(audited().filter(({ dryRun }) => dryRun)).toMatchObject([
      { stage: 'reserve', outcome: 'deny', rule: null },
      { stage: 'execute', outcome: 'deny', rule: null, digest: transaction.digest },
    ]);
  });
});

describe('a hook', () => {
  it('decides last, is told who asks, and its silence is no permission', async () => {
    const heard: { authorization: unknown; signed: unknown; token: unknown }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { authorization, 'x-forecourt-signature': signed } = request.headers;
        heard.push({ authorization, signed, token: (JSON.parse(text) as { token: string }).token });
        response.end('{"decision":"deny","userMessage":"not today"}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await setRules(`  access-policy: allow-all
  rules:
    - action: { url: 'http://127.0.0.1:${port}', timeout: 2s, retries: 0 }`);
    const { answer, reservation, transaction } = await sponsor(system.application);
    expect([answer.status, answer.body.error]).toEqual([403, 'not today']);
    expect(heard).toEqual([
      {
        authorization: undefined,
        token: 'default',
        signed: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      },
    ]);
    server.close();
    server.closeAllConnections();
    const silent = await executeTx(system.application, reservation, transaction);
    expect(silent.status).toBe(503);
    expect(silent.body.error).toMatch(/cannot be evaluated at the moment/);
    expect(silent.headers.get('retry-after')).toBe('1');
  });
});

describe('a burst of reservations', () => {
  it('is decided by what needs no transaction', async () => {
    await setRules(`  access-policy: deny-all
  rules:
    - reservation-gas-budget: '<=1000000'
      reservation-duration-secs: '<=30'
      action: allow`);
    const { application } = system;
    const statuses = [
      await reserveGas(application, 1_000_000, 30),
      await reserveGas(application, 1_000_001, 30),
      await reserveGas(application, 1_000_000, 31),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 403, 403]);
  });
});
