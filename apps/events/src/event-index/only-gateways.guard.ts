import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { plainAddress } from '@forecourt/admission';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';

/** Lets only requests from the addresses of gateways pass, which have checked the caller's role. */
@Injectable()
export class OnlyGateways implements CanActivate {
  constructor(
    @Inject(EVENTS_CONFIG) private readonly config: Pick<EventsConfig, 'trustedGateways'>,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { raw } = context.switchToHttp().getRequest<{ readonly raw: IncomingMessage }>();
    const address = plainAddress(raw.socket.remoteAddress ?? '');
    return address !== null && this.config.trustedGateways.includes(address);
  }
}
