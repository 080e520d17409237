import { type CanActivate, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { HistoryClient } from './history-client.js';

/** Lets no request pass without a configured history. Throws HISTORY_OFF. */
@Injectable()
export class RequireHistoryGuard implements CanActivate {
  constructor(private readonly history: HistoryClient) {}

  canActivate(): boolean {
    if (this.history.isOn) return true;
    throw new ForecourtError('HISTORY_OFF');
  }
}
