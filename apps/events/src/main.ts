import { raiseYoungGenerationSize, runService } from '@forecourt/runtime/service';
import { eventsService } from './events-service.js';

raiseYoungGenerationSize();
await runService(eventsService());
