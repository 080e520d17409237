import { describeUsage } from './method-usage.js';
import type { RpcHandler } from './rpc-handler.js';
import { criterionSchema } from './schemas/criterion-schema.js';
import { filterSchemas } from './schemas/filter-schema.js';
import { recordSchemas } from './schemas/record-schemas.js';
import { valueSchemas } from './schemas/value-schemas.js';

const SCHEMAS = {
  EventCriterion: criterionSchema,
  ...filterSchemas,
  ...recordSchemas,
  ...valueSchemas,
};

/** The OpenRPC document that `rpc.discover` returns. */
export function describeMethods(handlers: readonly RpcHandler[]): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'Ledger events', version: '1.0.0' },
    methods: handlers.map(({ name, description }) => ({
      name: `ledger_${name}`,
      ...description,
      ...describeUsage(name),
      paramStructure: 'by-position',
    })),
    components: { schemas: withTitles() },
  };
}

/** Code generators name types by the titles of their schemas. */
function withTitles(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([title, schema]) => [title, { title, ...schema }]),
  );
}
