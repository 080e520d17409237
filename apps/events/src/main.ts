import { letHeapGrow, runService } from '@forecourt/runtime/service';
import { eventsService } from './events-service.js';

letHeapGrow();
await runService(eventsService());
