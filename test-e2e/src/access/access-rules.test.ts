import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { buildCar } from '../support/ledger-user.js';
import { system } from '../support/systems/rules-system.js';

const ONE_FUNCTION = `access-controller:
  access-policy: deny-all
  rules:
    - move-call-function: '0xdec0::garage::build_car'
      transaction-gas-budget: '<=10000000'
      action: allow
`;

const buildOne = { build: (tx: Parameters<typeof buildCar>[0]) => buildCar(tx, 'Mini', '0xb0b') };
const writeRules = (text: string) => system.files.write('rules.yaml', text);
const reload = () => call(system.application, 'GET', '/v1/reload_access_controller');

describe('access rules', () => {
  beforeAll(async () => {
    writeRules(ONE_FUNCTION);
    expect((await reload()).status).toBe(200);
  });

  it('sponsor only what they allow; a denied reservation stays usable', async () => {
    const { application } = system;
    const reservation = await reserved(application);
    const clock = await buildSponsored(application, reservation);
    const denied = await executeTx(application, reservation, clock);
    expect([denied.status, denied.body]).toEqual([
      403,
      { error: 'The access rules do not allow this transaction' },
    ]);
    const both = await buildSponsored(application, reservation, {
      build: (tx) => {
        buildCar(tx, 'Mini', '0xb0b');
        tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
      },
    });
    expect((await executeTx(application, reservation, both)).status).toBe(403);
    const car = await buildSponsored(application, reservation, buildOne);
    const allowed = await executeTx(application, reservation, car);
    expect(allowed.body.effects?.status.status).toBe('success');
    expect(await system.control.submissionsOf(clock.digest)).toBe(0);
  });

  it('reload on request; a file with a mistake changes nothing, and the error names the line', async () => {
    const { application } = system;
    writeRules(ONE_FUNCTION.replace('move-call-function', 'move-call-fucntion'));
    const mistaken = await reload();
    expect(mistaken.status).toBe(400);
    expect(mistaken.body.error).toMatch(/line 4: a rule has an unknown key: move-call-fucntion/);
    expect((await sponsor(application, buildOne)).answer.status).toBe(200);
    expect((await sponsor(application)).answer.status).toBe(403);

    writeRules('access-controller:\n  access-policy: allow-all\n');
    expect(await reload()).toMatchObject({ status: 200, body: { result: 'success' } });
    expect((await sponsor(application)).answer.status).toBe(200);
    rmSync(system.files.pathOf('rules.yaml'));
    expect((await reload()).body.error).toMatch(/ACCESS_RULES_FILE cannot be read/);
    expect((await sponsor(application)).answer.status).toBe(200);
  });

  it('apply at every gateway once the reload call has been answered', async () => {
    const [, second] = system.applications;
    for (const [policy, status] of [
      ['deny-all', 403],
      ['allow-all', 200],
    ] as const) {
      writeRules(`access-controller:\n  access-policy: ${policy}\n`);
      expect((await reload()).status).toBe(200);
      for (const application of system.applications) {
        expect((await reserveGas(application)).status).toBe(status);
      }
    }
    const [, service] = system.services('gateway');
    service!.kill('SIGSTOP');
    const partly = await reload();
    service!.kill('SIGCONT');
    expect(partly.status).toBe(503);
    expect(partly.body.error).toMatch(new RegExp(`:${service!.pid} \\(no answer\\)`));
    expect((await sponsor(second!)).answer.status).toBe(200);
  });

  it('reload on SIGHUP', async () => {
    const [service] = system.services('gateway');
    writeRules('access-controller:\n  access-policy: deny-all\n');
    await reload();
    writeRules(ONE_FUNCTION);
    service!.kill('SIGHUP');
    await system.until(async () => (await reserveGas(system.application)).status === 200);
    expect((await sponsor(system.application)).answer.status).toBe(403);
    expect((await sponsor(system.application, buildOne)).answer.status).toBe(200);
  });

  it('prevent the gateway from starting when the file has a mistake', async () => {
    writeRules('access-controller:\n  access-policy: allow\n');
    const { exitCode, output } = await system.tryGateway({});
    expect(exitCode).toBe(1);
    expect(output).toMatch(/ACCESS_RULES_FILE, line 2: access-policy must be one of/);
  });
});
