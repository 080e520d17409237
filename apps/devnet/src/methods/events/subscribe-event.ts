import { readInteger } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { connectionOf } from './ledger-events.js';
import { readEventFilter } from './read-event-filter.js';

export const subscribeEvent: RpcMethod = {
  name: 'iotax_subscribeEvent',
  params: ['filter'],
  summary: 'Live Move events that match a filter, over WebSocket.',
  run(context, [filter]) {
    const matches = readEventFilter(filter, 'filter');
    const { id, begin } = context.node.iotaSubscriptions.open(connectionOf(context), matches);
    context.afterReply(begin);
    return id;
  },
};

export const unsubscribeEvent: RpcMethod = {
  name: 'iotax_unsubscribeEvent',
  params: ['subscription'],
  summary: 'Ends a subscription of the same connection.',
  run(context, [subscription]) {
    const id = Number(readInteger(subscription, 'subscription'));
    return context.node.iotaSubscriptions.close(connectionOf(context), id);
  },
};
