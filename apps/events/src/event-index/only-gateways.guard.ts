import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { plainAddress } from '@forecourt/admission';
import { FLEET_PROOF_HEADER, isProvenBy } from '@forecourt/runtime/fleet-proof';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';

const LOOPBACK = /^(?:127\.|::1$)/;

interface Received {
  readonly raw: IncomingMessage;
  readonly body: unknown;
}

/**
 * Lets only requests from gateways pass, which have checked the caller's role and record what operators do. They prove that
 * they belong to the fleet; a service without the fleet secret serves a gateway on the same host only.
 */
@Injectable()
export class OnlyGateways implements CanActivate {
  constructor(
    @Inject(EVENTS_CONFIG)
    private readonly config: Pick<EventsConfig, 'trustedGateways' | 'fleetSecrets'>,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { raw, body } = context.switchToHttp().getRequest<Received>();
    const address = plainAddress(raw.socket.remoteAddress ?? '');
    if (address === null || !this.config.trustedGateways.includes(address)) return false;
    const { fleetSecrets } = this.config;
    if (fleetSecrets.length === 0) return LOOPBACK.test(address);
    const { method = '', url: path = '', headers } = raw;
    const request = { method, path, body: body ?? undefined };
    return isProvenBy(fleetSecrets, request, headers[FLEET_PROOF_HEADER]);
  }
}
