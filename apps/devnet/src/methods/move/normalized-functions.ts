import { invalidParams } from '@forecourt/contracts';
import type { EngineInterface } from '../../engine/engine-interface.js';
import { NO_MOVE } from '../../engine/move/move-library.js';
import { readAddress, readText } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';

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
  const definition = engine.getNormalizedFunction(id, readText(module, 'module_name'), name);
  return definition ?? notFound(engine, id, `No function was found with function name ${name}`);
}

function notFound(engine: EngineInterface, packageId: string, message: string): never {
  if (engine.getModuleNames(packageId) !== null) throw invalidParams(`${message}. ${NO_MOVE}`);
  throw invalidParams(`Package object does not exist with ID ${packageId}`);
}
