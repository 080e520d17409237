import { Controller, UseFilters, UseInterceptors, UsePipes } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  coinPoolPatterns,
  ReconcilePoolMessage,
  type ReconcilePoolReply,
} from '@forecourt/contracts';
import { ReadMessage } from '@forecourt/runtime/transport';
import { CoinPoolErrorFilter, MessagesInFlight } from '../messages/coin-pool.controller.js';
import { ReconciliationsService } from './reconciliations.service.js';

/** The message of gateways that needs the upkeep. */
@Controller()
@UseFilters(CoinPoolErrorFilter)
@UseInterceptors(MessagesInFlight)
@UsePipes(ReadMessage)
export class ReconciliationsController {
  constructor(private readonly reconciliations: ReconciliationsService) {}

  @MessagePattern(coinPoolPatterns.reconcilePool)
  reconcilePool(@Payload() message: ReconcilePoolMessage): Promise<ReconcilePoolReply> {
    return this.reconciliations.reconcile(message);
  }
}
