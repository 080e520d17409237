import type { EngineInterface } from '../../engine/engine-interface.js';
import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
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

export const getNormalizedMoveModule: RpcMethod = {
  name: 'iota_getNormalizedMoveModule',
  params: ['package', 'module_name'],
  summary: 'Functions and structs of a Move module.',
  run({ engine }, [packageId, module]) {
    return findModule(engine, readAddress(packageId, 'package'), readText(module, 'module_name'));
  },
};

function findFunction(engine: EngineInterface, packageId: unknown, module: unknown, fn: unknown) {
  const name = readText(fn, 'function_name');
  const found = engine.getNormalizedFunction(
    readAddress(packageId, 'package'),
    readText(module, 'module_name'),
    name,
  );
  return found ?? notFound(`No function was found with function name ${name}`);
}

function findModule(engine: EngineInterface, packageId: string, module: string) {
  const found = engine.getNormalizedModule(packageId, module);
  return found ?? notFound(`No module found with module name ${module}`);
}

function notFound(message: string): never {
  throw new JsonRpcError(JsonRpcCode.callFailed, message);
}
