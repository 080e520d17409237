import { raiseYoungGenerationSize, runService } from '@forecourt/runtime/service';
import { gatewayService } from './gateway-service.js';

raiseYoungGenerationSize();
await runService(gatewayService());
