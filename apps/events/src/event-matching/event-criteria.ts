import type {
  EventCriterion,
  EventFilter,
  EventKind,
  Owner,
  StoredEventRecord,
} from '@forecourt/contracts';
import { describeEvent, type EventTraits } from './event-traits.js';
import { findAnchors } from './find-anchors.js';

/** Whether a stored record satisfies a criterion. */
export type MatchesRecord = (record: StoredEventRecord, event: EventTraits) => boolean;

type CriterionWithKey = Exclude<EventCriterion, { key: 'All' | 'TimeRange' }>;
type ValueOfCriterion<Key> = Extract<CriterionWithKey, { key: Key }>['value'];

/** An event satisfies the criterion if a text of it equals that of the value. */
interface KeyTexts<Value> {
  readonly ofValue: (value: Value) => string;
  /** Null: the event satisfies the criterion with no value. */
  readonly ofEvent: (event: EventTraits, record: StoredEventRecord) => string | null;
  /** Another text of the event; null without one. */
  readonly alsoOfEvent?: (event: EventTraits) => string | null;
}

/** Every criterion that one text of an event decides, which an index can therefore answer by its key. */
const KEY_TEXTS: { readonly [Key in CriterionWithKey['key']]: KeyTexts<ValueOfCriterion<Key>> } = {
  Transaction: {
    ofValue: String,
    // Those of its checkpoint are not the transaction's own.
    ofEvent: ({ kind }, { txDigest }) =>
      kind === 'Checkpoint' || kind === 'EpochChange' ? null : txDigest,
  },
  MoveModule: {
    ofValue: ({ package: packageId, module }) => `${packageId}::${module}`,
    ofEvent: ({ packageId, module }) =>
      packageId !== null && module !== null ? `${packageId}::${module}` : null,
  },
  MoveEvent: {
    ofValue: String,
    ofEvent: ({ moveEventType }) => moveEventType,
    alsoOfEvent: ({ moveEventType, moveEventStruct }) =>
      moveEventStruct === moveEventType ? null : moveEventStruct,
  },
  EventType: { ofValue: String, ofEvent: ({ kind }) => kind },
  Sender: { ofValue: String, ofEvent: ({ sender }) => sender },
  Recipient: { ofValue: ownerKey, ofEvent: ({ recipient }) => recipient && ownerKey(recipient) },
  Object: { ofValue: String, ofEvent: ({ objectId }) => objectId },
};

/** All events of a transaction have this key: `keysOfEvent` leaves it out. */
const TEXTS_OF_ONE_EVENT = Object.entries<KeyTexts<never>>(KEY_TEXTS).filter(
  ([key]) => key !== 'Transaction',
);

function valueText({ key, value }: CriterionWithKey): string {
  return (KEY_TEXTS[key] as KeyTexts<unknown>).ofValue(value);
}

export function compileCriterion(criterion: EventCriterion): MatchesRecord {
  if (criterion.key === 'All') return () => true;
  if (criterion.key === 'TimeRange') {
    const { startTime, endTime } = criterion.value;
    return ({ timestamp }) => timestamp >= startTime && timestamp <= endTime;
  }
  const text = valueText(criterion);
  const { ofEvent, alsoOfEvent }: KeyTexts<never> = KEY_TEXTS[criterion.key];
  return (record, event) => ofEvent(event, record) === text || alsoOfEvent?.(event) === text;
}

/** The key that every event satisfying the criterion has; null: it is answered by position or time. */
export function keyOfCriterion(criterion: EventCriterion): string | null {
  if (criterion.key === 'All' || criterion.key === 'TimeRange') return null;
  return `${criterion.key} ${valueText(criterion)}`;
}

/** `digest` is in base64. */
export function keyOfTransaction(digest: string): string {
  return `Transaction ${digest}`;
}

/** The `keyOfCriterion` of each criterion that the event satisfies, besides `Transaction`. */
export function keysOfEvent(record: StoredEventRecord): readonly string[] {
  const event = describeEvent(record.event);
  return TEXTS_OF_ONE_EVENT.flatMap(([key, { ofEvent, alsoOfEvent }]) =>
    [ofEvent(event, record), alsoOfEvent?.(event) ?? null].flatMap((text) =>
      text === null ? [] : [`${key} ${text}`],
    ),
  );
}

/**
 * A string that is the same for two owners if and only if they are equal. Addresses must be in canonical
 * form.
 */
function ownerKey(owner: Owner): string {
  if (owner === 'Immutable') return owner;
  if ('AddressOwner' in owner) return `AddressOwner:${owner.AddressOwner}`;
  if ('ObjectOwner' in owner) return `ObjectOwner:${owner.ObjectOwner}`;
  return `Shared:${owner.Shared.initial_shared_version}`;
}

/**
 * The narrowest known criterion that every event matching the filter satisfies; `All` if there is no narrower
 * one.
 */
export function findCoveringCriterion(filter: EventFilter): EventCriterion {
  const [anchor, ...others] = findAnchors(filter);
  if (anchor === undefined || others.length > 0) return { key: 'All' };
  const { value } = anchor;
  switch (anchor.key) {
    case 'ObjectId':
      return { key: 'Object', value };
    case 'SenderAddress':
      return { key: 'Sender', value };
    case 'MoveEventType':
      return { key: 'MoveEvent', value };
    case 'MoveEventField':
      return { key: 'EventType', value: 'MoveEvent' };
    case 'EventType':
      return { key: 'EventType', value: value as EventKind };
    case 'Package':
    case 'Module':
      return { key: 'All' };
  }
}
