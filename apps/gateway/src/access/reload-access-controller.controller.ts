import { Controller, Get } from '@nestjs/common';
import { ReloadEverywhere } from './reload-everywhere.js';

@Controller()
export class ReloadAccessControllerController {
  constructor(private readonly reloadEverywhere: ReloadEverywhere) {}

  @Get('/v1/reload_access_controller')
  async reload(): Promise<{ result: string }> {
    await this.reloadEverywhere.run();
    return { result: 'success' };
  }
}
