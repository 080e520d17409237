import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeReader } from './change-reader.js';
import { FiguresBoard } from './figures-board.js';
import { LiveStreams } from './live-streams.js';
import { ResumedReads } from './resumed-reads.js';
import { StreamController } from './stream.controller.js';
import { StreamIds } from './stream-ids.js';

/** The route that shows what happens, as it happens. */
@Module({
  imports: [AccessModule, OperationsModule],
  controllers: [StreamController],
  providers: [ChangeFeed, ChangeReader, FiguresBoard, LiveStreams, ResumedReads, StreamIds],
})
export class StreamModule {}
