import type { EngineInterface } from '../../engine/engine-interface.js';
import type { PureTypeOf } from '../transactions/show-transaction-data.js';

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
