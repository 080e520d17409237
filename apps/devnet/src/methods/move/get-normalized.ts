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

export const getNormalizedMoveModulesByPackage: RpcMethod = {
  name: 'iota_getNormalizedMoveModulesByPackage',
  params: ['package'],
  summary: 'The modules of a package, by name.',
  run({ engine }, [packageId]) {
    const id = readAddress(packageId, 'package');
    const names =
      engine.getModuleNames(id) ?? notFound(`Package object does not exist with ID ${id}`);
    return Object.fromEntries(names.map((name) => [name, findModule(engine, id, name)]));
  },
};

export const getNormalizedMoveStruct: RpcMethod = {
  name: 'iota_getNormalizedMoveStruct',
  params: ['package', 'module_name', 'struct_name'],
  summary: 'Fields and abilities of a Move struct.',
  run({ engine }, [packageId, module, struct]) {
    const name = readText(struct, 'struct_name');
    const { structs } = findModule(
      engine,
      readAddress(packageId, 'package'),
      readText(module, 'module_name'),
    );
    return structs?.[name] ?? notFound(`No struct was found with struct name ${name}`);
  },
};

export const getMoveFunctionArgTypes: RpcMethod = {
  name: 'iota_getMoveFunctionArgTypes',
  params: ['package', 'module', 'function'],
  summary: "Whether each of a function's parameters is pure or an object, and how it is taken.",
  run({ engine }, [packageId, module, fn]) {
    const { parameters } = findFunction(engine, packageId, module, fn);
    return parameters.map((parameter) => {
      if (typeof parameter !== 'object' || parameter === null) return 'Pure';
      if ('Reference' in parameter) return { Object: 'ByImmutableReference' };
      if ('MutableReference' in parameter) return { Object: 'ByMutableReference' };
      return 'Struct' in parameter ? { Object: 'ByValue' } : 'Pure';
    });
  },
};

function findFunction(engine: EngineInterface, packageId: unknown, module: unknown, fn: unknown) {
  const name = readText(fn, 'function_name');
  const found = engine.getNormalizedFunction(
    readAddress(packageId, 'package'),
    readText(module, 'module_name'),
    name,
  );
  return (found ?? notFound(`No function was found with function name ${name}`)) as {
    readonly parameters: readonly unknown[];
  };
}

function findModule(engine: EngineInterface, packageId: string, module: string) {
  const found = engine.getNormalizedModule(packageId, module);
  return (found ?? notFound(`No module found with module name ${module}`)) as {
    readonly structs?: Readonly<Record<string, object>>;
  };
}

function notFound(message: string): never {
  throw new JsonRpcError(JsonRpcCode.callFailed, message);
}
