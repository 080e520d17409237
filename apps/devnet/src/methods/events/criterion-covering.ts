import {
  canonicalAddress,
  canonicalStructTag,
  digestInBase64,
  type EventCriterion,
} from '@forecourt/contracts';

const MOVE_EVENTS: EventCriterion = { key: 'EventType', value: 'MoveEvent' };

/**
 * A criterion of the store that every event matching the filter satisfies. `query` has been read by
 * `readEventFilter`.
 */
export function criterionCovering(query: unknown): EventCriterion {
  const [[kind, argument]] = Object.entries(query as object) as [[string, never]];
  switch (kind) {
    case 'Sender':
      return { key: 'Sender', value: canonicalAddress(argument) ?? argument };
    case 'Transaction':
      return { key: 'Transaction', value: digestInBase64(argument) };
    case 'MoveModule': {
      const { package: packageId, module } = argument as { package: string; module: string };
      return {
        key: 'MoveModule',
        value: { package: canonicalAddress(packageId) ?? packageId, module },
      };
    }
    case 'MoveEventType':
      return { key: 'MoveEvent', value: canonicalStructTag(argument) ?? argument };
    case 'TimeRange': {
      const { startTime, endTime } = argument as { startTime: string; endTime: string };
      return {
        key: 'TimeRange',
        value: { startTime: Number(startTime), endTime: Number(endTime) },
      };
    }
    default:
      return MOVE_EVENTS;
  }
}
