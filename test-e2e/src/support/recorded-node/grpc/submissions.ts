import type {
  ExecuteTransactionItem,
  SimulateTransactionItem,
} from '@forecourt/ledger/node-messages';
import { Ed25519Keypair, Ed25519PublicKey } from '@iota/iota-sdk/keypairs/ed25519';
import { fromBase64, fromHex, toBase64, toHex } from '@iota/iota-sdk/utils';
import type { CoinReference } from '../scenario.js';
import type { GrpcScenario } from './grpc-scenario.js';
import {
  type Program,
  RECORDED_PACKAGE,
  type Stand,
  standFor,
  type TransactionData,
  translateCalls,
  UPGRADED_PACKAGE,
} from './translate-program.js';
import { recordedDigest, parse, serialize, digestOf } from './recorded-digest.js';

/** An object that exists on no ledger; the ids below exist on every ledger. */
const NOWHERE = `0x${'ab'.repeat(32)}`;
const OF_SYSTEM = /^0x0{60}/;

/** The length of an Ed25519 signature with its scheme and key; in BCS, it has a prefix of one byte. */
const SIGNATURE = 97;

/**
 * Translates recorded transactions to this ledger's accounts and objects. Each version of a recorded object
 * becomes an separate object, whose state follows from the node's answer about the version.
 */
export class Submissions {
  /** Recorded ids, and those that stand for them. */
  readonly objects = new Map<string, string>();
  /** That of the transaction that was translated last. */
  lastDigest = '';
  readonly #references = new Map<string, CoinReference>();
  readonly #transactions = new Map<string, Uint8Array>();
  readonly #strangers = new Map<string, Ed25519Keypair>();
  #published: { readonly packageId: string; readonly cap: CoinReference | null } | null = null;

  constructor(private readonly scenario: GrpcScenario) {
    this.objects.set(RECORDED_PACKAGE, scenario.demoPackage);
  }

  /** The digest that stands for a recorded one, of a transaction that has been translated. */
  digestFor(recorded: string): string | null {
    const bytes = this.#transactions.get(recorded);
    return bytes ? digestOf(bytes) : null;
  }

  /** The object that stands for a version of a recorded one. */
  referenceFor(recordedId: string, version: bigint | string): CoinReference | null {
    return this.#references.get(`${recordedId}@${version}`) ?? null;
  }

  /** Makes the package known that a transaction has published or upgraded. */
  async learnPackage(recorded: Uint8Array): Promise<void> {
    const digest = this.digestFor(recordedDigest(recorded)!)!;
    const published = await this.scenario.publishedBy(digest);
    if (published.cap) this.#published = published;
    else this.objects.set(UPGRADED_PACKAGE, published.packageId);
  }

  /** Translates the transaction of an item and its signatures. */
  async translate(item: ExecuteTransactionItem | SimulateTransactionItem, said: string) {
    const recorded = item.transaction?.bcs?.data;
    if (!recorded) return;
    const bytes = await this.bytesFor(recorded, said);
    item.transaction!.bcs!.data = bytes;
    if (!('signatures' in item) || !item.signatures) return;
    for (const { bcs: one } of item.signatures.signatures) {
      if (one?.data) one.data = await this.signatureFor(one.data, recorded, bytes);
    }
  }

  /** Bytes that are not a transaction stay as they are. */
  async bytesFor(recorded: Uint8Array, said: string): Promise<Uint8Array> {
    const data = parse(recorded);
    if (data === null) return recorded;
    const length = serialize(data).length;
    const digest = digestOf(recorded.subarray(0, length));
    const known = this.#transactions.get(digest);
    const bytes = known ?? (await this.translateData(data, said));
    this.#transactions.set(digest, bytes);
    this.lastDigest = digestOf(bytes);
    return Uint8Array.from([...bytes, ...recorded.subarray(length)]);
  }

  private async translateData(data: TransactionData, said: string): Promise<Uint8Array> {
    const { sender, gasData } = data;
    const program = data.kind.ProgrammableTransaction;
    if (program) await this.translateProgram(program, sender, said);
    const payment = [];
    for (const coin of gasData.payment) {
      payment.push(await this.objectFor(coin, 'coin', gasData.owner, said));
    }
    gasData.payment = payment;
    data.sender = this.scenario.addressOf(sender);
    gasData.owner = this.scenario.addressOf(gasData.owner);
    return serialize(data);
  }

  private async translateProgram(program: Program, sender: string, said: string): Promise<void> {
    for (const [index, { Pure: pure, Object: object }] of program.inputs.entries()) {
      if (pure) pure.bytes = this.pureFor(pure.bytes);
      const { ImmOrOwnedObject: owned, SharedObject: shared } = object ?? {};
      if (owned)
        Object.assign(owned, await this.objectFor(owned, standFor(program, index), sender, said));
      if (shared && shared.objectId !== NOWHERE && !OF_SYSTEM.test(shared.objectId)) {
        const { objectId, initialSharedVersion } = this.scenario.counter;
        const isWrong = said.includes('Wrong initial version');
        this.objects.set(shared.objectId, objectId);
        shared.objectId = objectId;
        shared.initialSharedVersion = isWrong
          ? String(Number(initialSharedVersion) + 1)
          : initialSharedVersion;
      }
    }
    for (const { Upgrade: upgrade } of program.commands) {
      if (upgrade) upgrade.package = this.#published!.packageId;
    }
    translateCalls(program, this.scenario, this.scenario.addressOf(sender));
  }

  private async objectFor(
    recorded: CoinReference,
    stand: Stand,
    recordedOwner: string,
    said: string,
  ): Promise<CoinReference> {
    const { objectId, version, digest } = recorded;
    if (objectId === NOWHERE || OF_SYSTEM.test(objectId)) return recorded;
    const key = `${objectId}@${version}`;
    const known = this.#references.get(key);
    const owner = new RegExp(`${objectId} is owned by account address (0x\\w+)`).exec(said)?.[1];
    const object = known ?? this.take(stand, owner ?? recordedOwner);
    this.#references.set(key, object);
    if (!this.objects.has(objectId)) this.objects.set(objectId, object.objectId);
    const isStale = new RegExp(`${objectId}.*is not available for consumption`, 's').test(said);
    if (isStale && said.includes('simulation failed')) {
      // A simulation takes every version that exists.
      return { ...object, version: String(Number(object.version) - 1) };
    }
    // Otherwise, an earlier call has used it.
    if (isStale && !known) {
      if (stand === 'coin') await this.scenario.spend(object, recordedOwner);
      else await this.scenario.drive(object);
    }
    if (new RegExp(`(object|id) ${objectId} at version Some`).test(said)) {
      return { ...object, version: String(BigInt(object.version) + 1000n) };
    }
    const isWrong = said.includes(`Invalid Object digest for object ${objectId}`);
    return isWrong ? { ...object, digest } : object;
  }

  private take(stand: Stand, recordedOwner: string): CoinReference {
    switch (stand) {
      case 'coin':
        return this.scenario.takeCoin(recordedOwner);
      case 'car':
        return this.scenario.takeCar();
      case 'frozen car':
        return this.scenario.frozenCar;
      case 'upgrade cap':
        return this.#published!.cap!;
    }
  }

  /** Recipients are among the pure inputs. */
  private pureFor(base64: string): string {
    const bytes = fromBase64(base64);
    if (bytes.length !== 32) return base64;
    const recorded = `0x${toHex(bytes)}`;
    return toBase64(fromHex(this.objects.get(recorded) ?? this.scenario.addressOf(recorded)));
  }

  /**
   * A signature by the account that stands for the signer, as valid and in the same form as the recorded one.
   */
  private async signatureFor(
    recorded: Uint8Array,
    recordedBytes: Uint8Array,
    bytes: Uint8Array,
  ): Promise<Uint8Array> {
    const prefix = recorded.subarray(0, recorded.length - SIGNATURE);
    const serialized = recorded.subarray(prefix.length);
    if (serialized.length !== SIGNATURE || serialized[0] !== 0) return recorded;
    const signer = new Ed25519PublicKey(serialized.subarray(65));
    const { signature } = await this.keyFor(signer.toIotaAddress()).signTransaction(bytes);
    const translated = fromBase64(signature);
    const isValid = await signer.verifyTransaction(recordedBytes, toBase64(serialized));
    if (!isValid) translated[1]! ^= 1;
    return Uint8Array.from([...prefix, ...translated]);
  }

  private keyFor(recorded: string): Ed25519Keypair {
    const known = this.scenario.keyOf(recorded) ?? this.#strangers.get(recorded);
    const key = known ?? new Ed25519Keypair();
    if (!known) this.#strangers.set(recorded, key);
    return key;
  }
}
