import { describe, expect, it } from '@jest/globals';
import { SponsorDrained } from '@forecourt/coin-store';
import { createLocalSigner } from '@forecourt/ledger';
import { Signers } from '@forecourt/runtime/signers';
import { partial } from '@forecourt/testing/jest';
import { PoolState } from './pool-state.js';
import { SponsorDirectory } from './sponsor-directory.js';

const signerOf = (byte: number) =>
  createLocalSigner(Buffer.concat([Buffer.of(0), Buffer.alloc(32, byte)]).toString('base64'));
const first = signerOf(1);
const second = signerOf(2);
const third = signerOf(3);

/** A fleet of three sponsors; the pools of the first two are open. */
function aFleet(drained: readonly string[] = []) {
  const signers = new Signers([first, second, third]);
  const state = new PoolState();
  for (const { address } of [second, first]) state.sponsors.add(address);
  const directory = new SponsorDirectory(signers, partial({}), state);
  const requests: string[] = [];
  const pay = (sponsor?: string) =>
    directory.withSponsor(sponsor, async (one) => {
      requests.push(one);
      const drain = { reason: `no ${one}`, by: 'ops', since: 1 };
      if (drained.includes(one)) throw new SponsorDrained(drain);
      return one;
    });
  return { signers, state, requests, pay };
}

describe('the sponsor that pays', () => {
  it('is the first of the keys, or the requested one, in any order of opened pools', async () => {
    const { pay } = aFleet();
    expect([await pay(), await pay(second.address)]).toEqual([first.address, second.address]);
  });

  it('is the next one where the first is drained, which is then tried last for a while', async () => {
    const { pay, requests } = aFleet([first.address]);
    expect([await pay(), await pay()]).toEqual([second.address, second.address]);
    expect(requests).toEqual([first.address, second.address, second.address]);
  });

  it('is refused with the reason when it is requested and drained, and when all are drained', async () => {
    const { pay } = aFleet([first.address, second.address]);
    const refused = { code: 'SPONSOR_DRAINED', detail: `no ${second.address}`, retryAfterSecs: 30 };
    await expect(pay(second.address)).rejects.toMatchObject(refused);
    await expect(pay()).rejects.toMatchObject({ code: 'SPONSOR_DRAINED' });
  });

  it('has an open pool and a key', async () => {
    const { pay, signers, state } = aFleet();
    await expect(pay(third.address)).rejects.toMatchObject({ code: 'POOL_REFUSED' });
    state.sponsors.add(third.address);
    expect(await pay(third.address)).toBe(third.address);
    signers.replace([third]);
    expect(await pay()).toBe(third.address);
    await expect(pay(first.address)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      detail: `sponsor_address ${first.address} is not a sponsor of this gas station`,
    });
    signers.replace([]);
    await expect(pay()).rejects.toMatchObject({ detail: 'no sponsor configured' });
  });
});
