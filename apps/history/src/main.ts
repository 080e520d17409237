import { runService } from '@forecourt/runtime/service';
import { historyService } from './history-service.js';

await runService(historyService());
