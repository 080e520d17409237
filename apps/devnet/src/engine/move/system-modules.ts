import {
  addressOf,
  declareStruct,
  moveFunction as fn,
  objectOf,
  rawOf,
  type MoveModule,
} from '../move-module.js';
import { encodeLength, readLength, type StructLayout } from '../move-value.js';
import { fullId } from '../hash.js';
import { type RawValue, rawU64 } from '../execution-values.js';

export const CLOCK_LAYOUT: StructLayout = {
  name: 'Clock',
  abilities: ['Key'],
  fields: [['timestamp_ms', 'u64']],
};

export const SYSTEM_STATE_LAYOUT: StructLayout = {
  name: 'IotaSystemState',
  abilities: ['Key'],
  fields: [['version', 'u64']],
};

export const CLOCK_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'clock',
  types: [declareStruct(CLOCK_LAYOUT)],
  functions: [
    fn(
      'timestamp_ms',
      { parameters: ['&0x2::clock::Clock'], returns: ['u64'] },
      ({ values: [clock] }) => [rawU64(objectOf(clock).values.timestamp_ms as bigint)],
    ),
  ],
};

export const TRANSFER_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'transfer',
  functions: [
    fn(
      'public_transfer',
      { typeParameters: [['Store', 'Key']], parameters: ['T0', 'address'] },
      ({ session, values: [object, recipient] }) => {
        session.transfer(objectOf(object), { AddressOwner: addressOf(recipient) });
        return [];
      },
    ),
    fn(
      'public_freeze_object',
      { typeParameters: [['Store', 'Key']], parameters: ['T0'] },
      ({ session, values: [object] }) => {
        session.transfer(objectOf(object), 'Immutable');
        return [];
      },
    ),
  ],
};

/** Its function changes pure inputs, which keep the new value for later commands. */
export const VECTOR_MODULE: MoveModule = {
  packageId: fullId('0x1'),
  name: 'vector',
  functions: [
    fn(
      'push_back',
      { typeParameters: [[]], parameters: ['&mut vector<T0>', 'T0'] },
      ({ values: [vector, element] }) => {
        const [raw, { bytes }] = [rawOf(vector), rawOf(element)];
        const [count, start] = readLength(raw.bytes, 0);
        const elements = raw.bytes.subarray(start);
        raw.bytes = Buffer.concat([encodeLength(count + 1), elements, bytes]);
        return [];
      },
    ),
  ],
};

export const STRING_MODULE: MoveModule = {
  packageId: fullId('0x1'),
  name: 'string',
  types: [{ name: 'String', fields: [['bytes', 'vector<u8>']] }],
  functions: [
    fn(
      'append',
      { parameters: ['&mut 0x1::string::String', '0x1::string::String'] },
      ({ values }) => {
        const [text, more] = values.map(rawOf) as [RawValue, RawValue];
        const [one, other] = [text.bytes, more.bytes].map((bytes) =>
          bytes.subarray(readLength(bytes, 0)[1]),
        ) as [Uint8Array, Uint8Array];
        text.bytes = Buffer.concat([encodeLength(one.length + other.length), one, other]);
        return [];
      },
    ),
  ],
};

/** System modules without functions. */
export const SYSTEM_MODULES: readonly MoveModule[] = [
  {
    packageId: fullId('0x2'),
    name: 'iota',
    functions: [],
    types: [declareStruct({ name: 'IOTA', abilities: ['Drop'], fields: [] })],
  },
  {
    packageId: fullId('0x2'),
    name: 'balance',
    functions: [],
    types: [{ name: 'Balance', typeParameters: 1, fields: [['value', 'u64']] }],
  },
  {
    packageId: fullId('0x2'),
    name: 'object',
    functions: [],
    types: [
      { name: 'ID', fields: [['bytes', 'address']] },
      { name: 'UID', fields: [['id', '0x2::object::ID']] },
    ],
  },
  {
    packageId: fullId('0x3'),
    name: 'iota_system',
    functions: [],
    types: [declareStruct(SYSTEM_STATE_LAYOUT)],
  },
  {
    packageId: fullId('0x1'),
    name: 'option',
    functions: [],
    types: [{ name: 'Option', typeParameters: 1, fields: [['vec', 'vector<T0>']] }],
  },
];
