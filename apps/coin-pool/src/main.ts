import { runService } from '@forecourt/runtime/service';
import { coinPoolService } from './coin-pool-service.js';

await runService(coinPoolService());
