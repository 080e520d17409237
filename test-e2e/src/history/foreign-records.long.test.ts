import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, reserved, reserveGas, sponsor } from '../support/application.js';
import { system } from '../support/systems/history-system.js';
import { callerOf, type Listed, type ListedPage, read, readAll, users } from './history-callers.js';

const OWNERS = ['shop', 'other', 'alice', 'bob', 'default'] as const;
type Owner = (typeof OWNERS)[number];
/** Caller → the owners of the records that it may see. `default` has all roles. */
const VISIBLE: Readonly<Record<string, readonly Owner[]>> = {
  shop: ['shop'],
  other: ['other'],
  alice: ['alice'],
  bob: ['bob'],
  default: OWNERS,
  ops: OWNERS,
  audit: OWNERS,
};
const CALLERS = Object.keys(VISIBLE);

interface Refusal {
  readonly token: string;
  readonly user: string | null;
  readonly at: number;
}

/** Of each owner, an executed sponsorship and an open one. */
const records = new Map<Owner, { executed: number; open: number; digest: string }>();
let began: number;

const ownerOf = ({ token, user }: { token: string; user: string | null }): Owner => {
  if (token !== 'users') return token as Owner;
  return user === users.alice.toIotaAddress() ? 'alice' : 'bob';
};
const mayOnlySee = (by: string, found: readonly { token: string; user: string | null }[]) =>
  found.every((one) => VISIBLE[by]!.includes(ownerOf(one)));
const foreign = (by: string) => OWNERS.filter((owner) => !VISIBLE[by]!.includes(owner));

beforeAll(async () => {
  began = Date.now();
  for (const owner of OWNERS) {
    const application = callerOf(owner);
    const user = owner === 'alice' || owner === 'bob' ? users[owner] : new Ed25519Keypair();
    const { reservation, transaction, answer } = await sponsor(application, { user });
    expect([owner, answer.status]).toEqual([owner, 200]);
    expect((await reserveGas(application, 0)).status).toBe(400);
    const { reservation_id: open } = await reserved(application, 1_000_000, 600);
    const { digest } = transaction;
    records.set(owner, { executed: reservation.reservation_id, open, digest });
  }
  await system.until(async () => {
    const { data } = await read<{ data: Refusal[] }>(callerOf('ops'), `/v1/refusals?from=${began}`);
    const { total } = await read<{ total: { transactions: number } }>(
      callerOf('ops'),
      `/v1/usage?from=${began}`,
    );
    return data.length >= OWNERS.length && total.transactions >= OWNERS.length;
  });
});

describe.each(CALLERS)('the caller %s', (by) => {
  it('finds the records that it may see, and no others, by id and by digest', async () => {
    for (const owner of OWNERS) {
      const { executed, open, digest } = records.get(owner)!;
      const isVisible = VISIBLE[by]!.includes(owner);
      for (const [path, subject] of [
        [`/v1/sponsorships/${executed}`, `reservation ${executed}`],
        [`/v1/sponsorships/${open}`, `reservation ${open}`],
        [`/v1/transactions/${digest}`, `transaction ${digest}`],
      ] as const) {
        const { status, body } = await call(callerOf(by), 'GET', path);
        if (isVisible) expect([path, status]).toEqual([path, 200]);
        // The same answer as for what does not exist.
        else expect([status, body]).toEqual([404, { error: `No record of ${subject}` }]);
      }
    }
  });

  it('lists what it may see, in every state, and nothing else', async () => {
    const found = await readAll(callerOf(by), `/v1/sponsorships?from=${began}`);
    expect(mayOnlySee(by, found)).toBe(true);
    const ids = found.map((one) => one.reservation_id);
    for (const owner of VISIBLE[by]!) {
      const { executed, open } = records.get(owner)!;
      expect(ids).toEqual(expect.arrayContaining([executed, open]));
    }
  });

  it('finds nothing of others with a filter that names them', async () => {
    for (const owner of foreign(by)) {
      const { digest } = records.get(owner)!;
      const address = owner === 'alice' || owner === 'bob' ? users[owner].toIotaAddress() : null;
      const token = address === null ? owner : 'users';
      const filters = [`token=${token}`, `digest=${digest}`];
      if (address !== null) filters.push(`user=${address}`, `sender=${address}`);
      for (const filter of filters) {
        for (const list of ['sponsorships', 'refusals']) {
          const path = `/v1/${list}?${filter}`;
          const { data } = await read<{ data: Listed[] }>(callerOf(by), path);
          expect([path, mayOnlySee(by, data)]).toEqual([path, true]);
        }
        if (filter.startsWith('digest')) continue;
        const usage = await read<{ rows: { token: string; user: string }[] }>(
          callerOf(by),
          `/v1/usage?${filter}&group_by=token,user&from=${began}`,
        );
        const rows = usage.rows.map((row) => ({ ...row, user: row.user || null }));
        expect([filter, mayOnlySee(by, rows)]).toEqual([filter, true]);
      }
    }
  });

  it('sums and lists refusals of what it may see only', async () => {
    const { rows, total } = await read<{
      rows: { token: string; user: string; transactions: number }[];
      total: { transactions: number; refused: number };
    }>(callerOf(by), `/v1/usage?group_by=token,user&from=${began}`);
    const owners = rows.map((row) => ownerOf({ ...row, user: row.user || null }));
    expect(owners.toSorted()).toEqual([...VISIBLE[by]!].toSorted());
    expect(total.transactions).toBe(VISIBLE[by]!.length);
    const { data } = await read<{ data: Refusal[] }>(callerOf(by), `/v1/refusals?from=${began}`);
    expect(new Set(data.map(ownerOf))).toEqual(new Set(VISIBLE[by]));
    const csv = await fetch(`${system.application.url}/v1/usage?format=csv&group_by=token`, {
      headers: { authorization: `Bearer ${callerOf(by).token}` },
    });
    for (const owner of foreign(by).filter((one) => one === 'shop' || one === 'other')) {
      expect(await csv.clone().text()).not.toContain(`"${owner}"`);
    }
  });

  it.each(['minute', 'hour'])(
    'reads the latency by %s of as many as its usage has',
    async (unit) => {
      interface Counted {
        readonly from: number;
        readonly to: number;
        readonly total: { readonly transactions: number };
      }
      await system.until(async () => {
        const path = `/v1/latency?by=${unit}&from=${began}`;
        const latency = await read<Counted>(callerOf(by), path);
        const time = `from=${latency.from}&to=${latency.to}`;
        const usage = await read<Counted>(callerOf(by), `/v1/usage?${time}`);
        const { transactions } = latency.total;
        return transactions > 0 && transactions === usage.total.transactions;
      });
    },
  );

  it('learns nothing by waiting for the transaction of another', async () => {
    for (const owner of foreign(by)) {
      const startedAt = performance.now();
      const path = `/v1/transactions/${records.get(owner)!.digest}?wait_ms=30000`;
      expect((await call(callerOf(by), 'GET', path)).status).toBe(404);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    }
  });

  it('cannot continue another caller’s pages', async () => {
    for (const list of ['sponsorships', 'refusals']) {
      const path = `/v1/${list}?limit=1`;
      const { next_cursor: cursor } = await read<ListedPage>(callerOf('ops'), path);
      const mine = await call(callerOf(by), 'GET', `${path}&cursor=${cursor}`);
      const seesAll = VISIBLE[by] === OWNERS;
      expect([list, mine.status]).toEqual([list, seesAll ? 200 : 400]);
    }
  });

  it('finds nothing by guessing ids next to those of others', async () => {
    const { executed } = records.get('shop')!;
    const guesses = [-128, -64, -1, 1, 64, 128].map((step) => executed + step);
    for (const id of guesses) {
      const { status } = await call(callerOf(by), 'GET', `/v1/sponsorships/${id}`);
      if (status === 200) {
        const found = await read<Listed>(callerOf(by), `/v1/sponsorships/${id}`);
        expect(mayOnlySee(by, [found])).toBe(true);
      } else expect(status).toBe(404);
    }
  });
});

describe('odd but permitted queries', () => {
  const MAX = Number.MAX_SAFE_INTEGER;
  const LAST = Date.UTC(9999, 0) - 1;
  it.each([
    `/v1/sponsorships?from=${LAST}`,
    `/v1/sponsorships?from=0&to=${LAST}`,
    `/v1/sponsorships?to=0`,
    `/v1/sponsorships?function=none&package=0x0&error=NOPE`,
    `/v1/latency?by=day&from=0&to=${LAST}`,
    `/v1/latency?by=hour&from=${LAST}&to=${LAST}`,
    `/v1/refusals?from=${LAST}`,
    `/v1/refusals?from=0&to=${LAST}`,
    `/v1/refusals?outcome=success`,
    `/v1/usage?from=0&to=${LAST}&group_by=hour,token`,
    `/v1/usage?from=0&to=0`,
    `/v1/usage?from=0&group_by=day,hour,token,user,sender,sponsor,package,function`,
    `/v1/sponsorships/${MAX}`,
    '/v1/sponsorships/1',
  ])('never end as a failure of the service: %s', async (path) => {
    const { status, body } = await call(callerOf('ops'), 'GET', path);
    expect([path, status < 500, body.error]).toEqual([path, true, body.error]);
  });
});
