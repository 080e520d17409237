import { Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { ReplicaPresence } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';

/**
 * The tokens of all gateways: each reads separate files, and knows of the others only whether theirs are the
 * same.
 */
@Injectable()
export class FleetTokens {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly replicas: ReplicaPresence,
  ) {}

  /**
   * Throws INVALID_REQUEST for the name of a token that no gateway has. A warning, if other gateways may have
   * it; otherwise null. A user of a token is not a token.
   */
  async requireKnown(name: string): Promise<string | null> {
    if (this.policy.callerNamed(name) !== null) return null;
    if (await this.mayBeElsewhere()) {
      return `This gateway has no token ${name}, and others have different files: check the spelling.`;
    }
    const remedy =
      'name an entry of TOKENS_FILE, as GET /v1/access lists them; of a user’s token, its issuer';
    throw new ForecourtError('INVALID_REQUEST', `No gateway has a token ${name}: ${remedy}`);
  }

  /** Whether another gateway has different files, or may have. */
  private async mayBeElsewhere(): Promise<boolean> {
    const { version } = this.policy.describe();
    try {
      const seen = await this.replicas.list();
      return seen.some((one) => one.service === 'gateway' && one.accessVersion !== version);
    } catch {
      return true;
    }
  }
}
