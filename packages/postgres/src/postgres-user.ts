/** The user who owns every database of a private PostgreSQL. */
export const POSTGRES_USER = 'forecourt';
