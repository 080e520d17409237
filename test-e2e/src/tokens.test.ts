/** Callers with separate tokens, and the limits of each; all tests share one system. */
import './attacks/hoarding-reservations.cases.js';
import './tokens.cases.js';
import './user-tokens.cases.js';
import './client-refusals.cases.js';
import './attacks/flood-of-dry-runs.cases.js';
import './attacks/used-up-limits.cases.js';
import './attacks/repeated-calls.cases.js';
import './pausing.cases.js';
import './attacks/made-up-inputs.cases.js';
