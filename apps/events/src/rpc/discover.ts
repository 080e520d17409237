import { DEFAULT_PAGE, eventMethods, LARGEST_PAGE } from '@forecourt/contracts';
import type { RpcMethod } from './method-table.js';

const DEPRECATED =
  'Deprecated on the node interface, as the subscription to transactions is: the event query and the transaction block query methods replace it.';

const param = (name: string, required: boolean, description: string) => ({
  name,
  required,
  description,
  schema: {},
});

const DOCUMENT = {
  openrpc: '1.3.2',
  info: { title: 'Ledger events', version: '1.0.0' },
  methods: [
    {
      name: `ledger_${eventMethods.getEvents}`,
      summary: 'Past events that satisfy a criterion, page by page.',
      paramStructure: 'by-position',
      params: [
        param('query', true, '"All", or an object with exactly one criterion'),
        param('cursor', false, 'null, or the nextCursor of the page before'),
        param('limit', false, `1 to ${LARGEST_PAGE}; null: ${DEFAULT_PAGE}`),
        param('ordering', false, 'false or "Ascending"; true or "Descending"'),
      ],
      result: { name: 'page', schema: { type: 'object', required: ['data', 'nextCursor'] } },
    },
    {
      name: `ledger_${eventMethods.subscribeEvent}`,
      summary: 'Live events that match a filter, over WebSocket.',
      description: DEPRECATED,
      deprecated: true,
      paramStructure: 'by-position',
      params: [
        param('filter', true, 'an attribute filter, or And, Or, All, Any of filters'),
        param(
          'resume',
          false,
          'where to begin: a nextCursor (that event first), or the id of the last event seen ({txSeq, eventSeq})',
        ),
      ],
      result: { name: 'subscription', schema: { type: 'integer' } },
    },
    {
      name: `ledger_${eventMethods.unsubscribeEvent}`,
      summary: 'Ends a subscription of the same connection.',
      description: DEPRECATED,
      deprecated: true,
      paramStructure: 'by-position',
      params: [param('subscription', true, 'what subscribeEvent answered')],
      result: { name: 'known', schema: { type: 'boolean' } },
    },
  ],
};

/** The description of the methods (OpenRPC). */
export const discover: RpcMethod = async () => DOCUMENT;
