import { Module } from '@nestjs/common';
import { OperatorActionsModule } from '../operator-actions/operator-actions.module.js';
import { PauseController } from './pause.controller.js';
import { Pauses } from './pauses.js';

/** `POST /v1/pause`, `POST /v1/resume` and `GET /v1/pauses`, and the check of new work against the pauses. */
@Module({
  imports: [OperatorActionsModule],
  controllers: [PauseController],
  providers: [Pauses],
  exports: [Pauses],
})
export class PausingModule {}
