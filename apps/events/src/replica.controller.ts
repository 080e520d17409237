import { Controller, Get } from '@nestjs/common';
import type { AnnouncedReplica } from '@forecourt/contracts';
import { Public, ReplicaIdentity } from '@forecourt/runtime/service';

/** Identifies this replica, for the list that gateways show to operators. */
@Controller('health')
export class ReplicaController {
  constructor(private readonly identity: ReplicaIdentity) {}

  @Get('replica')
  @Public()
  replica(): AnnouncedReplica {
    const { service, id, version, startedAt } = this.identity;
    return { service, id, version, startedAt };
  }
}
