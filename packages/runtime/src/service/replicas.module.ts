import { Module } from '@nestjs/common';
import { ReplicaPresence } from './replica-presence.js';

/** Announces the process in Redis, and lists the others. */
@Module({ providers: [ReplicaPresence], exports: [ReplicaPresence] })
export class ReplicasModule {}
