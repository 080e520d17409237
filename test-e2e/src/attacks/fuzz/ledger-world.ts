import type { DevnetControl } from '@forecourt/testing/system';
import type { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { ObjectRef } from '../../support/raw-transaction.js';

/** The number of users. */
export const USERS = 6;
/** Data that is younger than this is not read again. */
const FRESH_MS = 300;
const COINS_PER_USER = 3;
const FUNDS = 500_000_000;
const CAR = '::garage::Car';
const COIN = '::coin::Coin<';
const SHOWN = 50;

/** The objects of one user, at versions that were recently the newest. */
export interface Belongings {
  readonly cars: readonly ObjectRef[];
  readonly coins: readonly ObjectRef[];
}

/** Users of the ledger, and the objects that transactions can name. */
export class LedgerWorld {
  #belongings = new Map<string, Belongings>();
  readonly #formerVersions = new Map<string, ObjectRef>();
  readonly #newestVersions = new Map<string, ObjectRef>();
  #sponsorCoins: readonly ObjectRef[] = [];
  #looking: Promise<void> | null = null;

  private constructor(
    private readonly ledger: IotaClient,
    private readonly sponsor: string,
    readonly users: readonly Ed25519Keypair[],
    readonly counterId: string,
  ) {}

  /** The users have their own coins, and keys that `seed` decides. */
  static async open(
    ledger: IotaClient,
    control: DevnetControl,
    sponsor: string,
    seed: number,
  ): Promise<LedgerWorld> {
    const users = Array.from({ length: USERS }, (_, index) => {
      const secret = Buffer.alloc(32);
      secret.writeUInt32LE(seed >>> 0);
      secret[31] = index + 1;
      return Ed25519Keypair.fromSecretKey(secret);
    });
    for (const user of users) {
      for (let coin = 0; coin < COINS_PER_USER; coin++) {
        await control.mint(user.toIotaAddress(), FUNDS);
      }
    }
    const page = await ledger.queryTransactionBlocks({
      order: 'ascending',
      limit: 1,
      options: { showEffects: true },
    });
    const shared = (page.data[0]!.effects!.created ?? []).find(
      ({ owner, reference }) =>
        typeof owner === 'object' && 'Shared' in owner && !/^0x0*[56]$/.test(reference.objectId),
    );
    const world = new LedgerWorld(ledger, sponsor, users, shared?.reference.objectId ?? '0x6');
    await world.look();
    return world;
  }

  /** Reads the objects of all users, unless that happened a moment ago. */
  look(): Promise<void> {
    this.#looking ??= this.readEverything().finally(() => {
      setTimeout(() => (this.#looking = null), FRESH_MS).unref();
    });
    return this.#looking;
  }

  private async readEverything(): Promise<void> {
    const found = await Promise.all(
      this.users.map(async (user) => {
        const owner = user.toIotaAddress();
        const options = { showType: true };
        const { data } = await this.ledger.getOwnedObjects({ owner, options, limit: SHOWN });
        const objects = data.flatMap(({ data: object }) => (object ? [object] : []));
        for (const object of objects) this.remember(object);
        const ofType = (part: string) => objects.filter(({ type }) => type?.includes(part));
        return [owner, { cars: ofType(CAR), coins: ofType(COIN) }] as const;
      }),
    );
    this.#belongings = new Map(found);
    const { data } = await this.ledger.getCoins({ owner: this.sponsor, limit: SHOWN });
    this.#sponsorCoins = data.map(({ coinObjectId, version, digest }) => {
      return { objectId: coinObjectId, version, digest };
    });
  }

  ownedBy(user: Ed25519Keypair): Belongings {
    return this.#belongings.get(user.toIotaAddress())!;
  }

  ownedByOthers(user: Ed25519Keypair): Belongings {
    const others = this.users.filter((other) => other !== user).map((other) => this.ownedBy(other));
    return {
      cars: others.flatMap(({ cars }) => cars),
      coins: others.flatMap(({ coins }) => coins),
    };
  }

  ownedBySponsor(): readonly ObjectRef[] {
    return this.#sponsorCoins;
  }

  /** Objects that had an owner and do not exist any longer. */
  deleted(): readonly ObjectRef[] {
    const all = [...this.#belongings.values()].flatMap(({ cars, coins }) => [...cars, ...coins]);
    const present = new Set(all.map(({ objectId }) => objectId));
    return [...this.#newestVersions.values()].filter(({ objectId }) => !present.has(objectId));
  }

  /** The version before the newest, if there was one. */
  formerVersion(ref: ObjectRef): ObjectRef {
    return this.#formerVersions.get(ref.objectId) ?? ref;
  }

  private remember(ref: ObjectRef): void {
    const newest = this.#newestVersions.get(ref.objectId);
    if (newest && newest.version !== ref.version) this.#formerVersions.set(ref.objectId, newest);
    this.#newestVersions.set(ref.objectId, ref);
  }
}
