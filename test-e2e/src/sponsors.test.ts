/** A complete key rotation in this order: the second sponsor is added, the first drained and withdrawn. */
import './adding-sponsors.cases.js';
import './draining-sponsors.cases.js';
import './withdrawals.cases.js';
