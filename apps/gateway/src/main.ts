import { raiseHeapGrowth, runService } from '@forecourt/runtime/service';
import { gatewayService } from './gateway-service.js';

raiseHeapGrowth();
await runService(gatewayService());
