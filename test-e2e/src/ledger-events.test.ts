/** Queries of events and subscriptions to them; one system serves all of it. */
import './get-events.cases.js';
import './subscribe-event.cases.js';
import './subscriptions.cases.js';
