import { letHeapGrow, runService } from '@forecourt/runtime/service';
import { gatewayService } from './gateway-service.js';

letHeapGrow();
await runService(gatewayService());
