import { describe, expect, it } from '@jest/globals';
import {
  type Answer,
  buildSponsored,
  executeTx,
  type Reservation,
  sponsor,
} from './application.js';
import {
  first,
  second,
  writeKeys,
  reserveFrom,
  sponsorOf,
  system,
  untilFilled,
} from './sponsors-system.js';

describe('a sponsor whose key is added to the file', () => {
  it('gets a filled pool and pays on request, without a restart', async () => {
    await system.control.mint(second.address, 100_000_000_000n);
    const pids = [...system.services('coin-pool'), ...system.services('executor')].map(
      ({ pid }) => pid,
    );
    writeKeys(first, second);
    await untilFilled(second.address);
    const answers: Answer[] = [];
    for (const at of [...system.applications, ...system.applications]) {
      const answer = await reserveFrom(second.address, at);
      expect([answer.status, sponsorOf(answer)]).toEqual([200, second.address]);
      const reservation = answer.body.result as unknown as Reservation;
      answers.push(await executeTx(at, reservation, await buildSponsored(at, reservation)));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(sponsorOf(await reserveFrom())).toBe(first.address);
    expect(
      [...system.services('coin-pool'), ...system.services('executor')].map(({ pid }) => pid),
    ).toEqual(pids);
  }, 120_000);

  it('is not added by a file with a mistake: the previous keys are kept, and the log names the mistake', async () => {
    writeKeys(first, second, { secret: 'not-a-key' });
    for (const service of [...system.services('coin-pool'), ...system.services('executor')]) {
      await system.until(async () => (await service.log()).includes('the previous keys are kept'));
      expect(await service.log()).not.toContain('not-a-key');
    }
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect(sponsorOf(await reserveFrom(second.address))).toBe(second.address);
    writeKeys(first, second);
  }, 60_000);
});
