import type { EventFilter } from '@forecourt/contracts';
import type { EventTraits } from './event-traits.js';
import { pathKeyOf } from './field-keys.js';
import { jsonKey } from './json-value.js';

/** Whether an event matches. A filter on an attribute that the event's kind lacks does not match. */
export type MatchesEvent = (event: EventTraits) => boolean;

/** Compiles a filter into a function that does not allocate. */
export function compileFilter(filter: EventFilter): MatchesEvent {
  switch (filter.key) {
    case 'Package': {
      const { packageId } = filter;
      return (event) => event.packageId === packageId;
    }
    case 'Module': {
      const { module } = filter;
      return (event) => event.module === module;
    }
    case 'MoveEventType': {
      const { type } = filter;
      return (event) => event.moveEventType === type;
    }
    case 'MoveEventField':
      return compileField(filter.path, filter.value);
    case 'SenderAddress': {
      const { address } = filter;
      return (event) => event.sender === address;
    }
    case 'EventType': {
      const { kind } = filter;
      return (event) => event.kind === kind;
    }
    case 'ObjectId': {
      const { objectId } = filter;
      return (event) => event.objectId === objectId;
    }
    case 'And':
    case 'All':
      return every(filter.filters.map(compileFilter));
    case 'Or':
    case 'Any':
      return some(filter.filters.map(compileFilter));
  }
}

function compileField(path: readonly string[], wanted: unknown): MatchesEvent {
  const wantedKey = jsonKey(wanted);
  const pathKey = pathKeyOf(path);
  return ({ fields }) => fields !== null && fields.at(path, pathKey) === wantedKey;
}

function every(parts: readonly MatchesEvent[]): MatchesEvent {
  const [first, second] = parts;
  if (parts.length === 1) return first!;
  if (parts.length === 2) return (event) => first!(event) && second!(event);
  return (event) => {
    for (const matches of parts) if (!matches(event)) return false;
    return true;
  };
}

function some(parts: readonly MatchesEvent[]): MatchesEvent {
  const [first, second] = parts;
  if (parts.length === 1) return first!;
  if (parts.length === 2) return (event) => first!(event) || second!(event);
  return (event) => {
    for (const matches of parts) if (matches(event)) return true;
    return false;
  };
}
