export {
  type EventStream,
  openEventStream,
  type StreamedEvent,
  type StreamOptions,
} from './open-event-stream.js';
