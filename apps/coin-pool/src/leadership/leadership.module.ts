import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { PoolSupervisor } from './pool-supervisor.js';

/** The upkeep of the pools. */
@Module({ imports: [MessagesModule], providers: [PoolSupervisor] })
export class LeadershipModule {}
