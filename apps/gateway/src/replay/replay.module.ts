import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AccessReplaysController } from './access-replays.controller.js';
import { AccessReplays } from './access-replays.service.js';

/** The route that tries access rules on past traffic. */
@Module({
  imports: [AccessModule],
  controllers: [AccessReplaysController],
  providers: [AccessReplays],
})
export class ReplayModule {}
