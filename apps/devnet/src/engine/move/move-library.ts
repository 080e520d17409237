import { compileModule, type DeclaredFunction } from '@forecourt/ledger/move-bytecode';
import type { MoveFunction, MoveModule } from '../move-module.js';
import { instantiate } from '../move-type.js';
import type { PackageModule } from '../serialize-object.js';
import { ACCOUNT_MODULE } from './account-module.js';
import { COIN_MODULE } from './coin-module.js';
import { GARAGE_MODULE } from './garage-module.js';
import { PACKAGE_MODULE } from './package-module.js';
import { PAY_MODULE } from './pay-module.js';
import {
  CLOCK_MODULE,
  STRING_MODULE,
  SYSTEM_MODULES,
  TRANSFER_MODULE,
  VECTOR_MODULE,
} from './system-modules.js';
import { TOKEN_MODULE } from './token-module.js';

/** All modules. */
const MODULES: readonly MoveModule[] = [
  COIN_MODULE,
  PAY_MODULE,
  CLOCK_MODULE,
  TRANSFER_MODULE,
  VECTOR_MODULE,
  STRING_MODULE,
  PACKAGE_MODULE,
  ...SYSTEM_MODULES,
  GARAGE_MODULE,
  TOKEN_MODULE,
  ACCOUNT_MODULE,
];

const shortId = (packageId: string) => packageId.replace(/^0x0+/, '0x');
const BUILT_IN = MODULES.filter((each) => each.functions.length > 0)
  .map((each) => `${shortId(each.packageId)}::${each.name}`)
  .join(', ');

/** For callers of a function that is not built in: a node may well have it. */
export const NO_MOVE =
  `devnet executes no Move code and has only functions of ${BUILT_IN} built in (see docs/devnet.md). ` +
  'Any other call needs a real node. Start with its address: LEDGER_URL=<address> npm start';

const modules = new Map(MODULES.map((each) => [`${each.packageId}::${each.name}`, each]));
const functions = new Map(
  MODULES.flatMap((module) =>
    module.functions.map((each, index): [string, { function: MoveFunction; index: number }] => [
      `${module.packageId}::${module.name}::${each.name}`,
      { function: each, index },
    ]),
  ),
);

export const PACKAGE_IDS: readonly string[] = [...new Set(MODULES.map((each) => each.packageId))];

/** `packageId` in its full form. */
export function findModule(packageId: string, name: string): MoveModule | undefined {
  return modules.get(`${packageId}::${name}`);
}

export function findFunction(
  packageId: string,
  module: string,
  name: string,
): { readonly function: MoveFunction; readonly index: number } | undefined {
  return functions.get(`${packageId}::${module}::${name}`);
}

const compiled = Map.groupBy(
  MODULES.map(({ packageId, name, types = [], functions: declared }) => ({
    packageId,
    name,
    bytes: compileModule({ package: packageId, name, types, functions: declared.map(declare) }),
    types: types.map((type) => type.name),
  })),
  ({ packageId }) => packageId,
);

function declare({ name, typeParameters, parameters }: MoveFunction): DeclaredFunction {
  return {
    name,
    typeParameters: typeParameters.length,
    parameters: parameters.map((type) => {
      const prefix = type.kind !== 'reference' ? '' : type.mutable ? '&mut ' : '&';
      return `${prefix}${instantiate(type, [])}`;
    }),
  };
}

/**
 * The modules of a package as a ledger stores them: types, and functions without code, which nothing
 * executes.
 */
export function compiledModules(packageId: string): readonly PackageModule[] {
  return compiled.get(packageId) ?? [];
}
