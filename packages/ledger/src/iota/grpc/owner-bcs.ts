import type { bcs } from '@iota/iota-sdk/bcs';
import type { StrictReader } from '../transactions/decoding/strict-reader.js';

export type Owner = typeof bcs.Owner.$inferType;

/** Throws `Error` for bytes that are no owner. */
export function readOwner(reader: StrictReader): Owner {
  switch (reader.readVariant(4, 'Owner')) {
    case 0:
      return { $kind: 'AddressOwner', AddressOwner: reader.readAddress() };
    case 1:
      return { $kind: 'ObjectOwner', ObjectOwner: reader.readAddress() };
    case 2:
      return { $kind: 'Shared', Shared: { initialSharedVersion: String(reader.readU64()) } };
    default:
      return { $kind: 'Immutable', Immutable: true };
  }
}

/** An owner in the JSON of nodes. */
export function showOwner(owner: Owner): unknown {
  if (owner.$kind === 'Immutable') return 'Immutable';
  if (owner.$kind === 'AddressOwner') return { AddressOwner: owner.AddressOwner };
  if (owner.$kind === 'ObjectOwner') return { ObjectOwner: owner.ObjectOwner };
  return { Shared: { initial_shared_version: Number(owner.Shared.initialSharedVersion) } };
}
