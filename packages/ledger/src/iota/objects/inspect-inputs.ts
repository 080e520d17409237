import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { commandKinds, type DecodedTransaction } from '../../decoded-transaction.js';
import type { InspectedInputs, ReadRecentObjects } from '../../ledger.js';
import type { ObjectReference } from '../../object-reference.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import type { NodeClient } from '../client/node-client.js';
import { inputTexts, type Judgement } from './judge-objects.js';
import { readObjects } from './read-objects.js';
import type { KnownObjects } from './known-objects.js';
import { latestKnown } from './latest-known.js';
import { listSubjects, type Subject } from './list-subjects.js';

/** Number of faults that a message names: people read it, and clients match on parts of it. */
const MAX_NAMED = 8;

/** See `Ledger.inspectInputs`. `known`: objects seen before; `epoch`: the ledger's current epoch. */
export async function inspectInputs(
  client: NodeClient,
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
      await client.getChainIdentifier();
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
function findRefusalWithoutLedger(
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
function findExclusive(sender: string, judgements: Judgements): ObjectReference[] {
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

/** Reasons why a look at the objects cannot prove that validators accept the transaction; empty: it does. */
function describeDoubts(
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

type Judgements = ReadonlyMap<Subject, Judgement>;

/** Above this number, missing objects are probably made up, and the search ends. */
const MAX_MISSING = 10;
const UNANSWERED: Judgement = { kind: 'unclear' };

/**
 * Reads the objects page by page, from a node and from the fleet's recent objects, and judges each.
 * Stops at the first page after which further ones cannot change the result.
 */
async function lookUp(
  client: NodeClient,
  subjects: readonly Subject[],
  readRecent: ReadRecentObjects,
): Promise<Judgements> {
  const judgements = new Map<Subject, Judgement>();
  for (let from = 0; from < subjects.length; from += MAX_OBJECTS_PER_READ) {
    const page = subjects.slice(from, from + MAX_OBJECTS_PER_READ);
    const ids = page.map(({ objectId }) => objectId);
    const referenced = page.filter(({ reference }) => reference !== null);
    const versions = new Map(
      page.flatMap(({ objectId, version }) => (version === null ? [] : [[objectId, version]])),
    );
    const [responses, recent] = await Promise.all([
      readObjects(client, ids, ['owner', 'type'], versions),
      readRecent(referenced.map(({ objectId }) => objectId)),
    ]);
    page.forEach((subject, index) => {
      const response = responses[index];
      if (!response) return judgements.set(subject, UNANSWERED);
      const known = subject.reference === null ? undefined : recent.get(subject.objectId);
      const latest = latestKnown(response, known);
      const judgement = subject.judge(latest);
      const isOutdated = known !== undefined && known.version > subject.reference!.version;
      const isBehind = latest !== response && isOutdated && judgement.kind === 'refused';
      return judgements.set(subject, isBehind ? { ...judgement, isBehind } : judgement);
    });
    if (isRefused(judgements) || areManyMissing(judgements)) break;
  }
  return judgements;
}

/** Whether the transaction is refused for certain, independent of further reads. */
function isRefused(judgements: Judgements): boolean {
  return [...judgements.values()].some(({ kind }) => kind === 'refused');
}

/** Whether every refused object is one that the node still shows and the fleet has seen change. */
function isNodeBehind(judgements: Judgements): boolean {
  return [...judgements.values()].every((one) => one.kind !== 'refused' || one.isBehind === true);
}

/** Whether more objects are missing than a lagging node explains. */
function areManyMissing(judgements: Judgements): boolean {
  return [...judgements.values()].filter(({ kind }) => kind === 'missing').length > MAX_MISSING;
}
