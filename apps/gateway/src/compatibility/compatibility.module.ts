import { Module } from '@nestjs/common';
import { CompatibilityListener } from './compatibility-listener.js';

/** The API in the dialect of public gas stations, on a port of its own. */
@Module({ providers: [CompatibilityListener] })
export class CompatibilityModule {}
