/**
 * The points at which a test can kill a service: the service, and the step of a transaction before or after
 * which it dies. Each represents a process that is killed, loses its machine or runs out of memory at exactly
 * that point.
 */
export const failpoints = {
  'gateway:before-reserve': 'a reservation is requested; the coin-pool has not received it',
  'gateway:after-reserve': 'coins are reserved; the client does not know',
  'gateway:before-claim': 'every check has passed; the reservation is not bound',
  'gateway:after-claim': 'the reservation is bound; no gateway waits for the outcome',
  'gateway:before-answer': 'the outcome is known here; the client does not know',
  'coin-pool:before-reserve': 'a message has arrived; nothing is reserved',
  'coin-pool:after-reserve': 'coins are reserved; the gateway does not know',
  'coin-pool:before-claim': 'a message has arrived; nothing is bound',
  'coin-pool:after-lock': 'inputs are locked for a claim; the reservation is not bound',
  'coin-pool:after-claim': 'the reservation is bound; it has no job',
  'coin-pool:after-enqueue': 'the job is in the queue; the gateway does not know',
  'coin-pool:after-take-aside': 'coins are in maintenance; no transaction is bound to them',
  'coin-pool:after-bind':
    'a split, consolidation or withdrawal is bound to its coins; it is not signed',
  'coin-pool:after-split':
    'the ledger has executed a split, consolidation or withdrawal; the pool does not know',
  'coin-pool:before-requeue': 'a lost job is noticed; it is not enqueued again',
  'executor:before-begin': 'a job is taken; nothing has been done',
  'executor:after-begin': 'the execution is begun; nothing is signed',
  'executor:after-sign': 'the transaction is signed; it is not submitted',
  'executor:after-submit': 'the ledger has answered; the answer is not processed',
  'executor:before-settle': 'the effects are read; the coins are still bound',
  'executor:after-settle': 'the coins are returned; no waiter is notified',
  'executor:after-reply': 'the waiters are notified; the job is not completed',
  'executor:after-refuse': 'a refused reservation is usable again; no waiter is notified',
  'executor:after-quarantine': 'coins are quarantined; no waiter is notified',
  'executor:after-move-on':
    'coins of a dead transaction have been moved on; the pool does not know',
  'history:after-commit': 'entries are in the database; they are still in the stream',
} as const;

export type Failpoint = keyof typeof failpoints;
