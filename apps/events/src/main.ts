import { raiseHeapGrowth, runService } from '@forecourt/runtime/service';
import { eventsService } from './events-service.js';

raiseHeapGrowth();
await runService(eventsService());
