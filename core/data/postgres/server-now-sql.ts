/** In Unix seconds, by the clock of PostgreSQL. For what nodes do with the rows of one another: their own clocks may differ. */
export const serverNow = 'EXTRACT(EPOCH FROM clock_timestamp())::BIGINT'
