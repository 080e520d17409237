import { invalidParams } from '@forecourt/json-rpc';
import type { EngineInterface } from '../../engine/engine-interface.js';
import { NO_MOVE } from '../../engine/move/move-library.js';
import { readAddress, readText } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import type { PureTypeOf } from '../transactions/show-transaction-data.js';

export const getNormalizedMoveFunction: RpcMethod = {
  name: 'iota_getNormalizedMoveFunction',
  params: ['package', 'module_name', 'function_name'],
  summary: 'Parameters and results of a Move function.',
  run({ engine }, [packageId, module, fn]) {
    return findFunction(engine, packageId, module, fn);
  },
};

function findFunction(engine: EngineInterface, packageId: unknown, module: unknown, fn: unknown) {
  const name = readText(fn, 'function_name');
  const id = readAddress(packageId, 'package');
  const found = engine.getNormalizedFunction(id, readText(module, 'module_name'), name);
  return found ?? notFound(engine, id, `No function was found with function name ${name}`);
}

function notFound(engine: EngineInterface, packageId: string, message: string): never {
  if (engine.getModuleNames(packageId) !== null) throw invalidParams(`${message}. ${NO_MOVE}`);
  throw invalidParams(`Package object does not exist with ID ${packageId}`);
}

/** Looks a call's parameter up in the package: its pure type, or null for objects and vectors. */
export function pureTypesFrom(engine: EngineInterface): PureTypeOf {
  return (packageId, module, name, index) => {
    const fn = engine.getNormalizedFunction(packageId, module, name) as {
      parameters?: readonly unknown[];
    } | null;
    const type = fn?.parameters?.[index];
    if (typeof type === 'string') return type.toLowerCase();
    const struct = (type as { Struct?: { address: string; module: string; name: string } } | null)
      ?.Struct;
    if (struct?.module === 'string' && struct.name === 'String') return '0x1::string::String';
    return struct?.module === 'object' && struct.name === 'ID' ? 'address' : null;
  };
}
