import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519PublicKey } from '@iota/iota-sdk/keypairs/ed25519';
import { fromBase64, fromHex, toBase64, toHex } from '@iota/iota-sdk/utils';
import type { CoinReference, Scenario } from './scenario.js';

/** An object that exists on no ledger; the ids below exist on every ledger. */
const NOWHERE = `0x${'ab'.repeat(32)}`;
const OF_SYSTEM = /^0x0{60}/;
const MAX_SIZE = 1 << 20;

/**
 * Translates the recorded transaction to this ledger's accounts and coins. The node's answer shows the state
 * of its coins: spent since, owned by another account, or named with a version or digest that they never had.
 * Bytes that are not a transaction stay unchanged.
 */
export async function translateTransaction(
  scenario: Scenario,
  recorded: string,
  said: string,
): Promise<string> {
  const bytes = Uint8Array.from(Buffer.from(recorded, 'base64'));
  const data = parse(bytes);
  if (data === null) return recorded;
  const length = bcs.TransactionData.serialize({ V1: data }, { maxSize: MAX_SIZE }).toBytes()
    .length;
  const rest = bytes.subarray(length);
  const { sender, gasData } = data;
  const seen = new Map<string, CoinReference>();
  const coinFor = async (reference: CoinReference, owner: string): Promise<CoinReference> => {
    const { objectId } = reference;
    if (objectId === NOWHERE || OF_SYSTEM.test(objectId)) return reference;
    const known = seen.get(objectId);
    if (known) return known;
    const coin = await prepareCoin(scenario, reference, owner, said);
    seen.set(objectId, coin);
    return coin;
  };
  for (const input of data.kind.ProgrammableTransaction?.inputs ?? []) {
    if (input.Pure) input.Pure.bytes = translatePure(scenario, input.Pure.bytes);
    const { ImmOrOwnedObject: owned, SharedObject: shared } = input.Object ?? {};
    if (owned) Object.assign(owned, await coinFor(owned, sender));
    if (shared) {
      const { objectId } = await coinFor({ ...shared, version: '', digest: '' }, sender);
      shared.objectId = objectId;
    }
  }
  const payment = [];
  for (const coin of gasData.payment) payment.push(await coinFor(coin, gasData.owner));
  gasData.payment = payment;
  data.sender = scenario.addressOf(sender);
  gasData.owner = scenario.addressOf(gasData.owner);
  const translated = bcs.TransactionData.serialize({ V1: data }, { maxSize: MAX_SIZE }).toBytes();
  return toBase64(Uint8Array.from([...translated, ...rest]));
}

/**
 * Replaces signatures of the recording's accounts, with invalid ones if the node could not verify them;
 * others stay.
 */
export async function translateSignature(
  scenario: Scenario,
  recorded: string,
  bytes: string,
  said: string,
): Promise<string> {
  const serialized = Buffer.from(recorded, 'base64');
  if (serialized.length !== 97 || serialized[0] !== 0) return recorded;
  const signer = scenario.keyOf(new Ed25519PublicKey(serialized.subarray(65)).toIotaAddress());
  if (signer === null) return recorded;
  const { signature } = await signer.signTransaction(fromBase64(bytes));
  if (!said.includes('Fail to verify')) return signature;
  const invalid = fromBase64(signature);
  invalid[1]! ^= 1;
  return toBase64(invalid);
}

async function prepareCoin(
  scenario: Scenario,
  { objectId, digest }: CoinReference,
  signer: string,
  said: string,
): Promise<CoinReference> {
  const owner = new RegExp(`${objectId} is owned by account address (0x\\w+)`).exec(said)?.[1];
  const coin = scenario.takeCoin(owner ?? signer);
  if (said.includes(`Object (${objectId}`)) await scenario.spend(coin, owner ?? signer);
  if (said.includes(`find the referenced object ${objectId} at version Some`)) {
    return { ...coin, version: String(BigInt(coin.version) + 1000n) };
  }
  return said.includes(`Invalid Object digest for object ${objectId}`) ? { ...coin, digest } : coin;
}

function parse(bytes: Uint8Array) {
  try {
    return bcs.TransactionData.parse(bytes).V1;
  } catch {
    return null;
  }
}

/** Recipients are among the pure inputs. */
function translatePure(scenario: Scenario, base64: string): string {
  const bytes = fromBase64(base64);
  if (bytes.length !== 32) return base64;
  return toBase64(fromHex(scenario.addressOf(`0x${toHex(bytes)}`)));
}
