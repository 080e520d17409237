import { canonicalAddress, eventKinds, type LedgerEvent, type Owner } from '@forecourt/contracts';
import fc from 'fast-check';

// Few values, so that random filters often match random events.
const ids = ['0xa', '0xb', '0xc'].map((short) => canonicalAddress(short)!);
const modules = ['m', 'native'];
const types = ids.flatMap((id) => [`${id}::m::S`, `${id}::m::S<${ids[0]}::n::T>`]);

const id = fc.constantFrom(...ids);
/** Addresses as nodes may write them. */
const written = fc.constantFrom(...ids, '0xa', '0xB');
const owner: fc.Arbitrary<Owner> = fc.oneof(
  id.map((AddressOwner) => ({ AddressOwner })),
  id.map((ObjectOwner) => ({ ObjectOwner })),
  fc.constant('Immutable' as const),
  fc.constantFrom(1, 2).map((version) => ({ Shared: { initial_shared_version: version } })),
);
const scalar = fc.constantFrom<unknown>(1, '1', '01', 1.5, true, null, 'x', '18446744073709551615');
const fields = fc.record(
  {
    a: fc.oneof(
      scalar,
      fc.record({ b: scalar, 'c/d': scalar }),
      fc.array(scalar, { maxLength: 2 }),
    ),
    e: scalar,
  },
  { requiredKeys: [] },
);
const origin = fc.record({
  packageId: written,
  sender: written,
  transactionModule: fc.constantFrom(...modules),
});

export const randomEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(origin, fc.constantFrom(...types, '0xa::m::S', '0xa::m::S<0xa::n::T>'), fields)
      .map(([o, type, values]) => ({ moveEvent: { ...o, type, fields: values, bcs: '' } })),
  },
  fc.record({ sender: written, packageId: written }).map((publish) => ({ publish })),
  fc
    .tuple(origin, owner, written)
    .map(([o, recipient, objectId]) => ({ newObject: { ...o, recipient, objectId } })),
  fc.tuple(origin, owner, written).map(([o, recipient, objectId]) => ({
    transferObject: { ...o, recipient, objectId, version: 2, type: types[0]! },
  })),
  fc.tuple(origin, written).map(([o, objectId]) => ({ deleteObject: { ...o, objectId } })),
  fc.nat(9).map((epochChange) => ({ epochChange })),
  fc.nat(9).map((checkpoint) => ({ checkpoint })),
);

/** A filter as a client writes it. */
export const randomFilter: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{
  filter: Record<string, unknown>;
}>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    id.map((Package) => ({ Package })),
    fc.constantFrom(...modules).map((Module) => ({ Module })),
    fc.constantFrom(...types).map((MoveEventType) => ({ MoveEventType })),
    fc
      .tuple(
        fc.constantFrom('/a', '/a/b', '/a/c~1d', '/a/0', '/a/1', '/e', '/__proto__', '/a/length'),
        fc.oneof(scalar, fc.record({ b: scalar }), fc.array(scalar, { maxLength: 1 })),
      )
      .map(([path, value]) => ({ MoveEventField: { path, value } })),
    id.map((SenderAddress) => ({ SenderAddress })),
    fc.constantFrom(...eventKinds).map((EventType) => ({ EventType })),
    id.map((ObjectId) => ({ ObjectId })),
    fc.tuple(tie('filter'), tie('filter')).map((And) => ({ And })),
    fc.tuple(tie('filter'), tie('filter')).map((Or) => ({ Or })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((All) => ({ All })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((Any) => ({ Any })),
  ),
})).filter;
