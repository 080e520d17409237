import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ObjectReference } from '../../object-reference.js';
import { commandKinds, type DecodedTransaction } from '../../decoded-transaction.js';
import { inputTexts } from './input-texts.js';
import { areManyMissing, isNodeBehind, isRefused, type Judgements, lookUp } from './look-up.js';
import type { ObjectSource } from './read-objects.js';
import { IDENTIFY } from '../transport/node-transport.js';
import { type KnownObjects, listSubjects } from './subjects.js';
import type { InspectedInputs } from '../../ledger-reader.js';
import type { ReadRecentObjects } from '../../recent-object.js';

/** Number of faults that a message names: people read it, and clients match on parts of it. */
const MAX_NAMED = 8;

/**
 * See `Ledger.inspectInputs`. `known`: objects seen before; `epoch`: the ledger's current epoch.
 */
export async function inspectInputs(
  client: ObjectSource,
  transaction: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
  readRecent: ReadRecentObjects,
): Promise<InspectedInputs> {
  const refusal = findRefusalWithoutLedger(transaction, known, epoch);
  if (refusal !== null) return refusedFor([refusal]);
  const subjects = listSubjects(transaction, known, epoch);

  const conclude = async (judgements: Judgements): Promise<InspectedInputs> => {
    const faults = [...judgements.values()].flatMap((judgement) =>
      'text' in judgement ? judgement.text : [],
    );
    if (isRefused(judgements)) {
      // On another network, to which the address may lead meanwhile, no object is as the transaction says.
      await client.send({ method: IDENTIFY, params: [] });
      return refusedFor(faults, isNodeBehind(judgements));
    }
    if (faults.length > 0) {
      const undecided = {
        message: describe(faults),
        areMany: areManyMissing(judgements),
        lookAgain: () => lookAgain(judgements),
      };
      return { refusal: null, undecided, exclusive: [], doubts: [] };
    }
    return {
      refusal: null,
      undecided: null,
      exclusive: findExclusive(transaction.sender, judgements),
      doubts: describeDoubts(transaction, judgements),
    };
  };

  /** Looks up the missing objects and those not reached. */
  const lookAgain = async (before: Judgements): Promise<InspectedInputs> => {
    const open = subjects.filter((subject) => {
      const kind = before.get(subject)?.kind;
      return kind === undefined || kind === 'missing';
    });
    const now = await lookUp(client, open, readRecent);
    return conclude(new Map([...before, ...now]));
  };

  return conclude(await lookUp(client, subjects, readRecent));
}

function refusedFor(faults: readonly string[], isBehind = false): InspectedInputs {
  return {
    refusal: describe(faults),
    ...(isBehind && { isBehind }),
    undecided: null,
    exclusive: [],
    doubts: [],
  };
}

function describe(faults: readonly string[]): string {
  const named = faults.slice(0, MAX_NAMED);
  const more = faults.length - named.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return `${inputTexts.introduction} ${[...named, ...rest].join(', ')}.`;
}

/** The clock and the source of randomness: transactions of users only read them. */
const READ_ONLY_FOR_USERS: ReadonlySet<string> = new Set(
  ['0x6', '0x8'].map((id) => normalizeIotaAddress(id)),
);
const AUTHENTICATOR_STATE = normalizeIotaAddress('0x7');

/**
 * The error of a transaction that every validator refuses by its bytes and by objects already
 * known; null: none.
 */
export function findRefusalWithoutLedger(
  transaction: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
): string | null {
  const { ownedInputs, receivedInputs, sharedInputs, packages } = transaction;
  const inputs = [...ownedInputs, ...receivedInputs, ...sharedInputs];
  const ids = [...inputs.map(({ objectId }) => objectId), ...packages];
  if (new Set(ids).size < ids.length) return inputTexts.duplicated;
  for (const { objectId, initialSharedVersion, mutable } of sharedInputs) {
    if (objectId === AUTHENTICATOR_STATE) return inputTexts.systemObject(objectId);
    if (mutable && READ_ONLY_FOR_USERS.has(objectId)) return inputTexts.mustBeImmutable;
    const since = known.sharedSince(objectId, epoch);
    if (since !== null && since !== initialSharedVersion) return inputTexts.wrongSharedVersion;
  }
  return null;
}

/**
 * The inputs that only one transaction at a time may use: those that the node showed to be the
 * sender's at exactly that version, and received ones whose parent is such an input. So a caller
 * cannot lock another account's objects by naming them.
 */
export function findExclusive(sender: string, judgements: Judgements): ObjectReference[] {
  const own = (isReceived: boolean, isOwner: (owner: string) => boolean): ObjectReference[] =>
    [...judgements].flatMap(([subject, judgement]) => {
      if (judgement.kind !== 'fit' || judgement.owner === null) return [];
      if (subject.reference === null || subject.isReceived !== isReceived) return [];
      return isOwner(judgement.owner) ? [subject.reference] : [];
    });
  const owned = own(false, (owner) => owner === sender);
  const parents = new Set(owned.map(({ objectId }) => objectId));
  return [...owned, ...own(true, (owner) => parents.has(owner))];
}

const KNOWN_COMMANDS: ReadonlySet<string> = new Set(commandKinds);

/**
 * Reasons why a look at the objects cannot prove that validators accept the transaction; empty: it
 * does.
 */
export function describeDoubts(
  transaction: DecodedTransaction,
  judgements: Judgements,
): readonly string[] {
  const commands = new Set<string>(transaction.commandKinds);
  const doubts: string[] = [];
  if (commands.has('Publish')) doubts.push('it publishes a package');
  if (commands.has('Upgrade')) doubts.push('it upgrades a package');
  if (transaction.receivedInputs.length > 0) doubts.push('it receives objects');
  for (const command of commands) {
    if (!KNOWN_COMMANDS.has(command)) doubts.push(`command ${command} is unknown`);
  }
  const unclear = [...judgements].filter(([, { kind }]) => kind === 'unclear');
  if (unclear.length > 0) {
    doubts.push(`the node's answer about ${unclear[0]![0].objectId} does not tell what it is`);
  }
  return doubts;
}
