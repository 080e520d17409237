import type {
  EventCriterion,
  EventFilter,
  EventKind,
  Owner,
  StoredEventRecord,
} from '@forecourt/contracts';
import type { EventTraits } from './event-traits.js';
import { findAnchors } from './find-anchors.js';

/** Whether a stored record satisfies a criterion. */
export type MatchesRecord = (record: StoredEventRecord, event: EventTraits) => boolean;

export function compileCriterion(criterion: EventCriterion): MatchesRecord {
  switch (criterion.key) {
    case 'All':
      return () => true;
    case 'Transaction':
      return ({ txDigest }) => txDigest === criterion.value;
    case 'MoveModule':
      return (_record, { packageId, module }) =>
        packageId === criterion.value.package && module === criterion.value.module;
    case 'MoveEvent':
      return (_record, { moveEventType }) => moveEventType === criterion.value;
    case 'EventType':
      return (_record, { kind }) => kind === criterion.value;
    case 'Sender':
      return (_record, { sender }) => sender === criterion.value;
    case 'Recipient': {
      const wanted = ownerKey(criterion.value);
      return (_record, { recipient }) => recipient !== null && ownerKey(recipient) === wanted;
    }
    case 'Object':
      return (_record, { objectId }) => objectId === criterion.value;
    case 'TimeRange':
      return ({ timestamp }) =>
        timestamp >= criterion.value.startTime && timestamp <= criterion.value.endTime;
  }
}

/** A string that is the same for two owners if and only if they are equal. Addresses must be in canonical form. */
export function ownerKey(owner: Owner): string {
  if (owner === 'Immutable') return owner;
  if ('AddressOwner' in owner) return `AddressOwner:${owner.AddressOwner}`;
  if ('ObjectOwner' in owner) return `ObjectOwner:${owner.ObjectOwner}`;
  return `Shared:${owner.Shared.initial_shared_version}`;
}

/** The narrowest known criterion that every event matching the filter satisfies; `All` if there is no narrower one. */
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
