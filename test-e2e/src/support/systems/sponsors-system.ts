import { writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { SponsorStatus } from '@forecourt/contracts';
import { readSponsorKey } from '@forecourt/testing/system';
import { type Answer, type Application, call, type Reservation, sponsor } from '../application.js';
import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';

const COINS = 30;
const FUNDS = 100_000_000_000n;
export const CLIENTS = 6;
/** A sponsor whose key consists of this byte: the same in every test file. */
const sponsorOfByte = (byte: number) =>
  readSponsorKey(Buffer.from([0, ...Array<number>(32).fill(byte)]).toString('base64'));
export const first = sponsorOfByte(1);
export const second = sponsorOfByte(2);
export const SAFE = `0x${'5afe'.repeat(16)}`;
export const STRANGER = `0x${'bad0'.repeat(16)}`;

/** Replicas of every service, with the sponsors' keys in a file. */
export const system = useSharedSystem('sponsors', (files) => ({
  gateways: 2,
  coinPools: 2,
  executors: 2,
  sponsor: first,
  sponsorKeysFile: files.write('keys', first.secret),
  env: {
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(tokenEntry('shop', ['role: sponsor']))),
    WITHDRAW_ADDRESSES: SAFE,
    POOL_TARGET_COINS: String(COINS),
  },
}));

/** Writes the file of the sponsors' keys. */
export const writeKeys = (...all: readonly { readonly secret: string }[]) =>
  writeFileSync(system.files.pathOf('keys'), all.map(({ secret }) => secret).join('\n'));
export const post = (path: string, body: object, as: Application = system.application) =>
  call(as, 'POST', path, body);
export const drain = (address: string) =>
  post('/v1/drain', { sponsor_address: address, reason: 'key rotation' });
export const undrain = (address: string) => post('/v1/undrain', { sponsor_address: address });
/** Orders an amount. `more`: further fields of the body. */
export const withdrawAmount = (address: string, to: string, amount: bigint, more = {}) =>
  post('/v1/withdraw_amount', {
    sponsor_address: address,
    to_address: to,
    reason: 'rebalancing',
    amount: String(amount),
    ...more,
  });
export const withdraw = (address: string, to: string, as?: Application) =>
  post('/v1/withdraw', { sponsor_address: address, to_address: to, reason: 'key rotation' }, as);
export const checkWithdrawal = (address: string, to: string) =>
  post('/v1/check_withdrawal', { sponsor_address: address, to_address: to, reason: 'a look' });
export const reserveFrom = (address?: string, application = system.application) =>
  post(
    '/v1/reserve_gas',
    { gas_budget: 10_000_000, reserve_duration_secs: 5, sponsor_address: address },
    application,
  );
export const codeOf = ({ status, headers }: Answer) => [status, headers.get('error-code')];
export const sponsorOf = ({ body }: Answer) =>
  (body.result as unknown as Reservation | undefined)?.sponsor_address;

export async function statusOf(address: string): Promise<SponsorStatus> {
  const { body } = await call(system.application, 'GET', '/v1/sponsors');
  const { sponsors } = body.result as unknown as { sponsors: SponsorStatus[] };
  return sponsors.find((one) => one.sponsor_address === address)!;
}
export const untilState = (address: string, state: SponsorStatus['state']) =>
  system.until(async () => (await statusOf(address))?.state === state);

/** Resolves when every coin-pool has opened the sponsor's pool, and the pool is filled. */
export async function untilFilled(address: string): Promise<void> {
  for (const coinPool of system.services('coin-pool')) {
    await system.until(async () =>
      new RegExp(`${address}.*Pool opened`).test(await coinPool.log()),
    );
  }
  await system.until(async () => (await statusOf(address))?.coins.available >= COINS);
}

/** Makes both sponsors serve with filled pools, whatever earlier test files have done with them. */
export async function bothServe(): Promise<void> {
  writeKeys(first, second);
  for (const { address } of [first, second]) {
    await undrain(address);
    if ((await balanceAt(address)) < FUNDS) await system.control.mint(address, FUNDS);
    await untilFilled(address);
    await untilState(address, 'serving');
  }
}

/** The node shows a transaction later than its effects. */
export async function balanceAt(owner: string): Promise<bigint> {
  await system.control.untilShown();
  return BigInt((await system.ledger.getBalance({ owner })).totalBalance);
}

/** The newest entries of the record of operators' actions, newest first. */
export async function recorded(count: number): Promise<string[][]> {
  const redis = new Redis(system.redisUrl);
  const newest = await redis.xrevrange('fc:operator-actions', '+', '-', 'COUNT', count);
  redis.disconnect();
  return newest.map(([, fields]) => fields.filter((_, index) => index % 2 === 1));
}

/** Sponsors transactions until it is stopped; every answer other than a success is a failure. */
export function startSponsoring() {
  const seen = { sponsors: [] as string[], failures: [] as string[] };
  let isStopping = false;
  const client = async (number: number) => {
    const application = system.applications[number % system.applications.length]!;
    while (!isStopping) {
      try {
        const { reservation, answer } = await sponsor(application);
        if (answer.status !== 200) seen.failures.push(JSON.stringify(answer.body));
        else seen.sponsors.push(reservation.sponsor_address);
      } catch (error) {
        seen.failures.push(String(error));
      }
    }
  };
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return {
    seen,
    async stop() {
      isStopping = true;
      await running;
      return seen;
    },
  };
}
