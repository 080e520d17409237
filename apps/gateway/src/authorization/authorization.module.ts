import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { PausingModule } from '../pausing/pausing.module.js';
import { CallerLimits } from './caller-limits.js';
import { RateLimits } from './rate-limits.js';
import { RequestAdmission } from './request-admission.js';
import { RequestAuthorization } from './request-authorization.js';

/** Who calls, how often, how much at once, and how much of the pool each caller may hold. */
@Module({
  imports: [AccessModule, PausingModule],
  providers: [CallerLimits, RateLimits, RequestAdmission, RequestAuthorization],
  exports: [CallerLimits],
})
export class AuthorizationModule {}
