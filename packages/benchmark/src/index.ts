export { type Row } from './row.js';
