import type { EventCriterion, StoredEventRecord } from '@forecourt/contracts';
import { ownerKey } from './compile-criterion.js';
import { describeEvent } from './event-traits.js';

/**
 * A text for each criterion that an index of keys can answer and that the event satisfies, besides `Transaction`, which all
 * events of a transaction share. Equal to `keyOfCriterion` of that criterion.
 */
export function keysOfEvent({ event }: StoredEventRecord): readonly string[] {
  const { kind, packageId, module, moveEventType, sender, recipient, objectId } =
    describeEvent(event);
  const keys = [`EventType ${kind}`];
  if (packageId !== null && module !== null) keys.push(`MoveModule ${packageId}::${module}`);
  if (moveEventType !== null) keys.push(`MoveEvent ${moveEventType}`);
  if (sender !== null) keys.push(`Sender ${sender}`);
  if (recipient !== null) keys.push(`Recipient ${ownerKey(recipient)}`);
  if (objectId !== null) keys.push(`Object ${objectId}`);
  return keys;
}

/** `digest` is in base64. */
export function keyOfTransaction(digest: string): string {
  return `Transaction ${digest}`;
}

/** The key that every event satisfying the criterion has; null: it is answered by position or time. */
export function keyOfCriterion(criterion: EventCriterion): string | null {
  switch (criterion.key) {
    case 'All':
    case 'TimeRange':
      return null;
    case 'Transaction':
      return keyOfTransaction(criterion.value);
    case 'MoveModule':
      return `MoveModule ${criterion.value.package}::${criterion.value.module}`;
    case 'Recipient':
      return `Recipient ${ownerKey(criterion.value)}`;
    default:
      return `${criterion.key} ${criterion.value}`;
  }
}
