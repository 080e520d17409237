import { Controller, Get, Inject } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/service-host';
import { AccessController } from './access-controller.js';

@Controller()
export class ReloadAccessControllerController {
  constructor(
    private readonly access: AccessController,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('/v1/reload_access_controller')
  async reload(): Promise<{ result: string }> {
    await this.access.reload(this.logger);
    return { result: 'success' };
  }
}
