/** Seed of the advisory locks of nodes, so that they differ from all other locks. */
export const nodeLockSeed = 7_365

/** The processes that serve the database: each holds the session lock of its id. Read from the list of locks, since trying one would keep out a process
 *  that is just connecting anew. */
export const servingNodes = `SELECT id FROM nodes JOIN pg_locks ON locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((classid::bigint << 32) | objid::bigint) = hashtextextended(id, ${nodeLockSeed})`
