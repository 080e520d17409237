/** Queries, subscriptions and their misuse; all tests share one system. */
import './get-events.cases.js';
import './subscribe-event.cases.js';
import './subscriptions.cases.js';
import './method-aliases.cases.js';
import './openrpc.cases.js';
import './rpc-endpoint.cases.js';
import './events-abuse.cases.js';
import './client-readme.cases.js';
import './example-backend.cases.js';
// The last of these restarts a gateway.
import './client.cases.js';
