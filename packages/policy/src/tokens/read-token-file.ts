import { createPublicKey, type KeyObject } from 'node:crypto';
import { type QuarantineLimit, type ReservationLimits } from '@forecourt/contracts';
import { readCaps, readTimeSpan, readUnits } from '../access/index.js';
import { readInstant, readYaml, type YamlValue } from '../yaml/index.js';
import { type Caller, CONFIGURED_CALLER, type Role, roles } from './caller.js';
import { readFleetWebhooks, readTokenWebhooks, type Webhook } from './read-webhooks.js';

/** A stored token: its hash and its expiry. */
export interface HashedToken {
  /** SHA-256. */
  readonly hash: Buffer;
  /** Milliseconds since 1970; Infinity: forever. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

/** A key that signs tokens for users: see `UserTokens`. */
export interface UserKey {
  readonly userKey: KeyObject;
  /** Milliseconds since 1970; Infinity: forever. */
  readonly expiresAt: number;
  readonly caller: Caller;
}

export type KnownToken = HashedToken | UserKey;

const NAME = /^[\w.-]{1,64}$/;
const HASH = /^[0-9a-f]{64}$/i;

/** The content of a file of tokens. */
export interface TokenFile {
  readonly tokens: readonly KnownToken[];
  /** Name of the token → its webhooks; null → those of the fleet. Owners without webhooks are left out. */
  readonly webhooks: ReadonlyMap<string | null, readonly Webhook[]>;
}

/** Reads a file of tokens. Throws `InvalidFile` naming the line. */
export function readTokenFile(text: string): TokenFile {
  const root = readYaml(text);
  const entries = root.require('tokens').items();
  const webhooks = new Map<string | null, readonly Webhook[]>();
  const addWebhooks = (owner: string | null, added: readonly Webhook[]) => {
    if (added.length > 0) webhooks.set(owner, added);
  };
  addWebhooks(null, readFleetWebhooks(root.take('fleet-webhooks')));
  root.refuseOthers();
  const names = new Set<string>([CONFIGURED_CALLER.name]);
  const hashes = new Set<string>();
  const tokens = entries.flatMap((value) => {
    const map = value.map();
    const caller = readCaller(map);
    if (names.has(caller.name)) value.fail(`duplicates the name of another token, ${caller.name}`);
    names.add(caller.name);
    const expires = map.take('expires')?.parse(readInstant) ?? Infinity;
    const userKeys = (map.take('user-keys')?.list() ?? []).map((one) => one.parse(readUserKey));
    const usersLimits = map.take('reserve-all-users');
    if (userKeys.length === 0)
      usersLimits?.fail('limits the users of user-keys, which are missing');
    const hashed = userKeys.length > 0 ? map.take('hash') : map.require('hash');
    const ofHashes = (hashed?.list() ?? []).map((one) => ({ ...readHash(one, expires), caller }));
    addWebhooks(caller.name, readTokenWebhooks(map.take('webhooks')));
    map.refuseOthers('a token');
    const others = [...caller.roles].filter((role) => role !== 'sponsor');
    if (userKeys.length > 0 && others.length > 0) {
      value.fail(`gives the role ${others[0]} to users; only sponsor may be given by user-keys`);
    }
    for (const { hash } of ofHashes) {
      const hex = hash.toString('hex');
      if (hashes.has(hex)) value.fail('duplicates the hash of another token');
      hashes.add(hex);
    }
    return [...ofHashes, ...userKeys.map((userKey) => ({ userKey, expiresAt: expires, caller }))];
  });
  return { tokens, webhooks };
}

function readCaller(map: YamlValue): Caller {
  const name = map.require('name').parse((text) => {
    if (!NAME.test(text)) {
      throw new Error('must be 1 to 64 letters, digits, dots, dashes and underscores');
    }
    return text;
  });
  const rate = map.take('rate-limit')?.map();
  const rateLimit = rate && {
    requests: rate.require('requests').parse(readCount),
    windowMs: rate.require('window').parse(readSpan),
  };
  rate?.refuseOthers();
  return {
    name,
    token: name,
    rateLimit: rateLimit ?? null,
    roles: new Set(map.require('role').list().map(readRole)),
    budget: readCaps(map.take('budget'), { kind: 'token', name }),
    reservation: readReservationLimits(map.take('reserve')),
    usersReservation: readReservationLimits(map.take('reserve-all-users')),
    quarantine: readQuarantineLimit(map.take('quarantine')),
    sponsors: (map.take('sponsors')?.list() ?? []).map((one) => one.text()),
    sender: null,
    ruleSet: map.take('rule-set')?.text() ?? null,
    rules: null,
  };
}

function readRole(value: YamlValue): Role {
  return value.parse((text) => {
    const role = roles.find((one) => one === text);
    if (!role) throw new Error(`must be ${roles.join(', ')}, or a list of them`);
    return role;
  });
}

function readReservationLimits(value: YamlValue | null): Partial<ReservationLimits> {
  if (value === null) return {};
  const map = value.map();
  const amounts = {
    coins: map.take('coins')?.parse(readCount),
    budget: map.take('budget')?.parse(readAmount),
    coinsPerMinute: map.take('coins-per-minute')?.parse(readCount),
    budgetPerMinute: map.take('budget-per-minute')?.parse(readAmount),
    unusedPerMinute: map.take('unused-per-minute')?.parse(readCount),
    poolShare: map.take('pool-share')?.parse(readPercentage),
  };
  map.refuseOthers();
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== undefined));
}

function readQuarantineLimit(value: YamlValue | null): QuarantineLimit | null {
  if (value === null) return null;
  const map = value.map();
  const limit = {
    most: map.require('transactions').parse(readCount),
    windowMs: map.require('window').parse(readSpan),
  };
  map.refuseOthers();
  return limit;
}

/** A hash, or `{hash, expires}`: the earlier of this expiry and the entry's expiry counts. */
function readHash(value: YamlValue, expires: number): Omit<HashedToken, 'caller'> {
  if (!value.isMap) return { hash: value.parse(readDigest), expiresAt: expires };
  const map = value.map();
  const hash = map.require('hash').parse(readDigest);
  const own = map.take('expires')?.parse(readInstant) ?? Infinity;
  map.refuseOthers();
  return { hash, expiresAt: Math.min(own, expires) };
}

function readDigest(text: string): Buffer {
  if (!HASH.test(text))
    throw new Error('must be a SHA-256 hash in hex, as npm run forecourt -- token prints it');
  return Buffer.from(text, 'hex');
}

const SHORTEST_MS = 1_000;
const LONGEST_MS = 86_400_000;

/**
 * A number of coins or of transactions, below 2^53: `100`, `2_000`. Throws `Error` with the required format.
 */
function readCount(text: string): number {
  if (!/^[\d_]+$/.test(text)) throw new Error('must be a number, such as 100');
  return readAmount(text);
}

/** An amount of gas, below 2^53: `10_000_000`, `2 IOTA`. Throws `Error` with the required format. */
export function readAmount(text: string): number {
  const amount = Number(readUnits(text));
  if (!Number.isSafeInteger(amount) || amount < 1) {
    throw new Error(`must be from 1 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return amount;
}

/** A time span in ms, up to a day. Throws `Error` with the required format. */
export function readSpan(text: string): number {
  return readTimeSpan(text, SHORTEST_MS, LONGEST_MS);
}

/** `50%` or `50`, from 1 to 100. Throws `Error` with the required format. */
export function readPercentage(text: string): number {
  const percentage = /^(\d{1,3}) ?%?$/.exec(text)?.[1];
  const share = Number(percentage);
  if (percentage === undefined || share < 1 || share > 100) {
    throw new Error('must be a share from 1% to 100%');
  }
  return share;
}

const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** An Ed25519 public key, 32 bytes in base64 or base64url. Throws `Error` with the required format. */
function readUserKey(text: string): KeyObject {
  if (!KEY.test(text)) throw new Error('must be an Ed25519 public key, 32 bytes in base64');
  const x = Buffer.from(text, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
