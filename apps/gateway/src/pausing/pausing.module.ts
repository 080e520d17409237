import { Module } from '@nestjs/common';
import { PauseController } from './pause.controller.js';
import { Pauses } from './pauses.js';

/** `POST /v1/pause`, `POST /v1/resume` and `GET /v1/pauses`, and what they hold back. */
@Module({ controllers: [PauseController], providers: [Pauses], exports: [Pauses] })
export class PausingModule {}
