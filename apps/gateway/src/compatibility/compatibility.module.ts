import { Module } from '@nestjs/common';
import { CompatibilityListener } from './compatibility-listener.js';

/** The API in the dialect of public gas stations, on a separate port. */
@Module({ providers: [CompatibilityListener] })
export class CompatibilityModule {}
