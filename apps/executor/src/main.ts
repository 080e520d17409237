import { runService } from '@forecourt/runtime/service';
import { executorService } from './executor-service.js';

await runService(executorService());
