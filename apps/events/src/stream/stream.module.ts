import { Module } from '@nestjs/common';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { EventStream } from './event-stream.js';

@Module({ imports: [UpstreamsModule], providers: [EventStream], exports: [EventStream] })
export class StreamModule {}
