import { eventKinds } from '@forecourt/contracts';
import { type JsonSchema, objectOf, schemaNamed } from './json-schema.js';

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const ADDRESS = '0[xX][0-9a-fA-F]{1,64}';

const sequence: JsonSchema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/** What criteria, filters and events are made of. */
export const valueSchemas: Readonly<Record<string, JsonSchema>> = {
  Address: {
    type: 'string',
    pattern: `^${ADDRESS}$`,
    description:
      'An address or the id of an object: 0x and hex digits, leading zeros may be left out.',
  },
  ModuleName: { type: 'string', pattern: `^${IDENTIFIER}$`, maxLength: 128 },
  StructTag: {
    type: 'string',
    pattern: `^${ADDRESS}::${IDENTIFIER}::${IDENTIFIER}(?:<.+>)?$`,
    maxLength: 4_096,
    description: '<package_id>::<module>::<struct_name>, with type parameters where it has some.',
  },
  TransactionDigest: {
    type: 'string',
    minLength: 32,
    maxLength: 44,
    description:
      'The digest of a transaction: in base64 or base58 in params, in base64 in results.',
  },
  EventKind: { type: 'string', enum: [...eventKinds] },
  Owner: {
    description: 'Who owns an object.',
    oneOf: [
      objectOf({ AddressOwner: schemaNamed('Address') }),
      objectOf({ ObjectOwner: schemaNamed('Address') }),
      objectOf({ Shared: objectOf({ initial_shared_version: sequence }) }),
      { const: 'Immutable' },
    ],
  },
  EventId: {
    ...objectOf({ txSeq: sequence, eventSeq: sequence }),
    description:
      'The place of an event: the transaction in the ledger’s total order, the event in the transaction.',
  },
  Cursor: {
    ...sequence,
    description: 'A position in the order of events, as `nextCursor` of an earlier page names it.',
  },
  Milliseconds: { ...sequence, description: 'Milliseconds since 1970.' },
};
