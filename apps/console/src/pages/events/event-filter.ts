import type { EventCriterion, EventFilter, EventKind, StoredEventRecord } from '@forecourt/client';

/** The kinds of condition that the form offers. */
export const conditions = {
  all: 'Everything',
  EventType: 'Kind of event',
  MoveEvent: 'Move event type',
  Module: 'Module',
  Sender: 'Sender',
  Object: 'Object',
  Transaction: 'Transaction',
} as const;

export type ConditionKind = keyof typeof conditions;

export const eventKinds = [
  'MoveEvent',
  'Publish',
  'TransferObject',
  'DeleteObject',
  'NewObject',
  'EpochChange',
  'Checkpoint',
] as const satisfies readonly EventKind[];

export interface Condition {
  readonly kind: ConditionKind;
  readonly value: string;
  /** Of everything: checkpoints too, of which there are more than of anything else. */
  readonly checkpoints?: boolean;
}

/** The criterion of a query; null: the value is missing or has not the required form. */
export function criterionOf({ kind, value }: Condition): EventCriterion | null {
  const text = value.trim();
  if (kind === 'all') return 'All';
  if (text === '') return null;
  switch (kind) {
    case 'EventType':
      return { EventType: text as EventKind };
    case 'MoveEvent':
      return { MoveEvent: text };
    case 'Module': {
      const [packageId = '', module = ''] = text.split('::');
      return module === '' ? null : { MoveModule: { package: packageId, module } };
    }
    case 'Sender':
      return { Sender: text };
    case 'Object':
      return { Object: text };
    case 'Transaction':
      return { Transaction: text };
  }
}

/** The filter of a subscription; null: subscriptions do not know this condition. */
export function filterOf({ kind, value, checkpoints = false }: Condition): EventFilter | null {
  const text = value.trim();
  if (kind === 'all') {
    const kinds = eventKinds.filter((one) => checkpoints || one !== 'Checkpoint');
    const [first, ...rest] = kinds.map((one): EventFilter => ({ EventType: one }));
    return { Any: [first!, ...rest] };
  }
  if (text === '') return null;
  switch (kind) {
    case 'EventType':
      return { EventType: text as EventKind };
    case 'MoveEvent':
      return { MoveEventType: text };
    case 'Module': {
      const [packageId = '', module = ''] = text.split('::');
      return module === '' ? null : { And: [{ Package: packageId }, { Module: module }] };
    }
    case 'Sender':
      return { SenderAddress: text };
    case 'Object':
      return { ObjectId: text };
    case 'Transaction':
      return null;
  }
}

/** Whether an event is shown: queries have no criterion for everything but checkpoints. */
export function isShown(
  { kind, checkpoints = false }: Condition,
  { event }: Pick<StoredEventRecord, 'event'>,
): boolean {
  return kind !== 'all' || checkpoints || !('checkpoint' in event);
}

/** The events of one transaction, in the order of the list. */
export interface TransactionEvents {
  readonly txDigest: string;
  readonly records: readonly StoredEventRecord[];
}

/** Joins neighbours that are of the same transaction. */
export function groupByTransaction(
  records: readonly StoredEventRecord[],
): readonly TransactionEvents[] {
  const groups: { txDigest: string; records: StoredEventRecord[] }[] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last?.txDigest === record.txDigest) last.records.push(record);
    else groups.push({ txDigest: record.txDigest, records: [record] });
  }
  return groups;
}
