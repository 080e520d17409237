import { Controller, Get } from '@nestjs/common';
import { AccessController } from './access-controller.js';

@Controller()
export class ReloadAccessControllerController {
  constructor(private readonly access: AccessController) {}

  @Get('/v1/reload_access_controller')
  async reload(): Promise<{ result: string }> {
    await this.access.reload();
    return { result: 'success' };
  }
}
