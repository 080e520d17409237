import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSponsorKey } from '@forecourt/testing/system';
import {
  type Answer,
  buildSponsored,
  call,
  executeTx,
  type Reservation,
  sponsor,
} from '../support/application.js';
import {
  bothServe,
  codeOf,
  first,
  second,
  writeKeys,
  reserveFrom,
  sponsorOf,
  STRANGER,
  system,
  untilFilled,
} from '../support/systems/sponsors-system.js';

const third = createSponsorKey();

describe('a sponsor whose key is added to the file', () => {
  beforeAll(bothServe);

  it('gets a filled pool and pays on request, without a restart', async () => {
    await system.control.mint(third.address, 100_000_000_000n);
    const pids = [...system.services('coin-pool'), ...system.services('executor')].map(
      ({ pid }) => pid,
    );
    writeKeys(first, second, third);
    await untilFilled(third.address);
    const answers: Answer[] = [];
    for (const application of [...system.applications, ...system.applications]) {
      const answer = await reserveFrom(third.address, application);
      expect([answer.status, sponsorOf(answer)]).toEqual([200, third.address]);
      const reservation = answer.body.result as unknown as Reservation;
      answers.push(
        await executeTx(application, reservation, await buildSponsored(application, reservation)),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(sponsorOf(await reserveFrom())).toBe(first.address);
    expect(
      [...system.services('coin-pool'), ...system.services('executor')].map(({ pid }) => pid),
    ).toEqual(pids);
  });

  it('shows its own counters of limits', async () => {
    const limitsOf = (query: string) => call(system.application, 'GET', `/v1/limits${query}`);
    for (const [query, { address }] of [
      ['', first],
      [`?sponsor_address=${third.address}`, third],
      [`?sponsor_address=${second.address.toUpperCase().replace('0X', '0x')}`, second],
    ] as const) {
      const { status, body } = await limitsOf(query);
      expect([query, status, body.result]).toEqual([
        query,
        200,
        expect.objectContaining({ sponsor_address: address }),
      ]);
    }
    for (const query of [
      `?sponsor_address=${STRANGER}`,
      '?sponsor_address=first',
      '?sponsor=0x1',
    ]) {
      expect(codeOf(await limitsOf(query))).toEqual([400, 'INVALID_REQUEST']);
    }
  });

  it('is not added by a file with a mistake: the previous keys are kept, and the log names the mistake', async () => {
    writeKeys(first, second, third, { secret: 'not-a-key' });
    for (const service of [...system.services('coin-pool'), ...system.services('executor')]) {
      await system.until(async () => (await service.log()).includes('the previous keys are kept'));
      expect(await service.log()).not.toContain('not-a-key');
    }
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect(sponsorOf(await reserveFrom(third.address))).toBe(third.address);
    writeKeys(first, second);
  });
});
