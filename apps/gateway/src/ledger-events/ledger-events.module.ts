import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { LedgerEventsProxy } from './ledger-events-proxy.js';

/** `/rpc`, which is not a Nest route: bodies and WebSockets are forwarded as bytes. */
@Module({ imports: [AccessModule], providers: [LedgerEventsProxy] })
export class LedgerEventsModule {}
