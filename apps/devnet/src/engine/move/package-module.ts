import { abort, type RuntimeObject } from '../execution-values.js';
import { fullId } from '../hash.js';
import {
  asValue,
  bytesOf,
  declareStruct,
  moveFunction as fn,
  objectOf,
  type MoveModule,
} from '../move-module.js';
import type { Fields, StructLayout } from '../move-value.js';

export const UPGRADE_CAP = '0x2::package::UpgradeCap';
export const UPGRADE_TICKET = '0x2::package::UpgradeTicket';
const UPGRADE_RECEIPT = '0x2::package::UpgradeReceipt';

export const UPGRADE_CAP_LAYOUT: StructLayout = {
  name: 'UpgradeCap',
  abilities: ['Store', 'Key'],
  fields: [
    ['package', 'address'],
    ['version', 'u64'],
    ['policy', 'u8'],
  ],
};
/** Excludes the digest of the new modules, which is not compared. */
const TICKET: StructLayout = {
  name: 'UpgradeTicket',
  abilities: [],
  fields: [
    ['cap', 'address'],
    ['package', 'address'],
    ['policy', 'u8'],
  ],
};
const RECEIPT: StructLayout = {
  name: 'UpgradeReceipt',
  abilities: [],
  fields: [
    ['cap', 'address'],
    ['package', 'address'],
  ],
};

/** The policy of packages to which upgrades may only add. */
const ADDITIVE = 128n;
const TOO_PERMISSIVE = 1n;
const ALREADY_AUTHORIZED = 2n;
const NOT_AUTHORIZED = 3n;
const WRONG_UPGRADE_CAP = 4n;
/** The package of a capability during an upgrade. */
const NO_PACKAGE = fullId('0x0');

export function makeReceipt(cap: string, packageId: string): RuntimeObject {
  return hotPotato(UPGRADE_RECEIPT, RECEIPT, { cap, package: packageId });
}

/** A value that is not an object and that the transaction must consume. */
function hotPotato(type: string, layout: StructLayout, values: Fields): RuntimeObject {
  return { id: '', type, layout, values: { ...values }, origin: null, owner: null, deleted: false };
}

/** The part of the framework's module that upgrades need. */
export const PACKAGE_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'package',
  types: [UPGRADE_CAP_LAYOUT, TICKET, RECEIPT].map(declareStruct),
  functions: [
    fn(
      'authorize_upgrade',
      { parameters: [`&mut ${UPGRADE_CAP}`, 'u8', 'vector<u8>'], returns: [UPGRADE_TICKET] },
      ({ values: [capability, policyBytes], location }) => {
        const { id, values } = objectOf(capability);
        const policy = BigInt(bytesOf(policyBytes)[0]!);
        if (values.package === NO_PACKAGE) throw abort(location, ALREADY_AUTHORIZED);
        if (policy < (values.policy as bigint)) throw abort(location, TOO_PERMISSIVE);
        const ticket = { cap: id, package: values.package!, policy };
        values.package = NO_PACKAGE;
        return [asValue(hotPotato(UPGRADE_TICKET, TICKET, ticket))];
      },
    ),
    fn(
      'commit_upgrade',
      { parameters: [`&mut ${UPGRADE_CAP}`, UPGRADE_RECEIPT] },
      ({ values: [capability, receipt], location }) => {
        const { id, values } = objectOf(capability);
        const upgraded = objectOf(receipt).values;
        if (upgraded.cap !== id) throw abort(location, WRONG_UPGRADE_CAP);
        if (values.package !== NO_PACKAGE) throw abort(location, NOT_AUTHORIZED);
        values.package = upgraded.package!;
        values.version = (values.version as bigint) + 1n;
        return [];
      },
    ),
    fn(
      'only_additive_upgrades',
      { parameters: [`&mut ${UPGRADE_CAP}`], isEntry: true },
      ({ values: [capability], location }) => {
        const { values } = objectOf(capability);
        if ((values.policy as bigint) > ADDITIVE) throw abort(location, TOO_PERMISSIVE);
        values.policy = ADDITIVE;
        return [];
      },
    ),
    fn(
      'make_immutable',
      { parameters: [UPGRADE_CAP], isEntry: true },
      ({ session, values: [capability] }) => {
        session.delete(objectOf(capability));
        return [];
      },
    ),
  ],
};
