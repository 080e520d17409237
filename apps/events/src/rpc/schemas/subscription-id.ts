import type { JsonSchema } from './json-schema.js';

/** Schema of what `subscribeEvent` returns and `unsubscribeEvent` takes. */
export const SUBSCRIPTION_ID: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
