import type { ObjectReference, OwnedReference, TransactionEffects } from '@forecourt/contracts';
import type { DecodedTransaction, RecentObject } from '@forecourt/ledger';
import { Cluster } from 'ioredis';
import { loadScript, type RedisConnection } from './redis/index.js';

/** Limits the objects that the fleet keeps per transaction; a node soon shows the others. */
const MAX_KEPT = 512;

/**
 * The objects that other transactions may use, or can no longer use, after this one: all its own
 * inputs, and the objects that belong to an address. Excludes the coins that paid for it: only the
 * pool hands these out.
 */
export function listRecentObjects(
  effects: TransactionEffects,
  { ownedInputs, receivedInputs }: Pick<DecodedTransaction, 'ownedInputs' | 'receivedInputs'>,
): RecentObject[] {
  const inputs = new Set([...ownedInputs, ...receivedInputs].map(({ objectId }) => objectId));
  const gasCoin = effects.gasObject.reference.objectId;
  const isKept = ({ owner, reference: { objectId } }: OwnedReference) =>
    objectId !== gasCoin && (inputs.has(objectId) || isOfAddress(owner));
  const written = [effects.mutated, effects.created, effects.unwrapped]
    .flatMap((some) => some ?? [])
    .filter(isKept)
    .map(({ owner, reference }) => recent(reference, owner));
  const removals = [effects.deleted, effects.wrapped]
    .flatMap((some) => some ?? [])
    .filter(({ objectId }) => inputs.has(objectId))
    .map((reference) => recent(reference, null));
  return [...removals, ...written].slice(0, MAX_KEPT);
}

function recent({ objectId, version, digest }: ObjectReference, owner: unknown): RecentObject {
  // Some nodes write versions as text.
  return { objectId, version: Number(version), digest, owner };
}

function isOfAddress(owner: unknown): boolean {
  return typeof owner === 'object' && owner !== null && 'AddressOwner' in owner;
}

/** Longer than the lag of any usable node. */
const KEPT_MS = 60_000;

/** Gateways read recent objects and executors write them; they belong to no sponsor's pool. */
const keyOf = (objectId: string) => `fc:recent-object:${objectId}`;

type WithScript = RedisConnection & {
  recordRecentObject(key: string, version: number, text: string, keptMs: number): Promise<number>;
};

/** Recent objects of the last minute, for the whole fleet. */
export class RecentObjects {
  readonly #redis: WithScript;

  constructor(redis: RedisConnection) {
    redis.defineCommand('recordRecentObject', {
      numberOfKeys: 1,
      lua: loadScript('record-recent-object'),
    });
    this.#redis = redis as WithScript;
  }

  /** Sends the commands before it returns: later commands to the same Redis see their effect. */
  async record(objects: readonly RecentObject[]): Promise<void> {
    await Promise.all(
      objects.map((object) =>
        this.#redis.recordRecentObject(
          keyOf(object.objectId),
          object.version,
          writeRecentObject(object),
          KEPT_MS,
        ),
      ),
    );
  }

  /** The known ones among them, by id. */
  async read(objectIds: readonly string[]): Promise<ReadonlyMap<string, RecentObject>> {
    if (objectIds.length === 0) return new Map();
    const texts = await this.readTexts(objectIds.map(keyOf));
    const states = objectIds.flatMap((objectId, index) => {
      const object = readRecentObject(objectId, texts[index] ?? null);
      return object === null ? [] : [[objectId, object] as const];
    });
    return new Map(states);
  }

  /** In a cluster the keys are in different slots. */
  private readTexts(keys: readonly string[]): Promise<(string | null)[]> {
    const redis = this.#redis;
    if (redis instanceof Cluster) return Promise.all(keys.map((key) => redis.get(key)));
    return redis.mget(...keys);
  }
}

/** `version digest owner`, the owner as JSON. */
const STORED = /^(\d{1,16}) (\S*) (.+)$/s;

function writeRecentObject({ version, digest, owner }: RecentObject): string {
  return `${version} ${digest} ${JSON.stringify(owner)}`;
}

/** Null: absent, or in a format of another release. */
function readRecentObject(objectId: string, text: string | null): RecentObject | null {
  const [, version, digest, owner] = STORED.exec(text ?? '') ?? [];
  if (version === undefined || digest === undefined || owner === undefined) return null;
  try {
    return { objectId, version: Number(version), digest, owner: JSON.parse(owner) as unknown };
  } catch {
    return null;
  }
}
