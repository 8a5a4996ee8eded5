// How long a shutdown may take beyond SHUTDOWN_SECONDS. The files in config/deploy allow 15 seconds more.

/** For connections on which nothing was ever sent. */
export const SILENCE_MS = 1_000
/** For sending an error to clients that do not read. */
export const LAST_WORDS_MS = 3_000
/** For charging the last calls. The bound keeps an adapter that never answers from keeping the process alive. */
export const SETTLING_MS = 10_000
/** Time after which a worker that has not ended is killed. */
export const WORKER_END_MS = LAST_WORDS_MS + SETTLING_MS + 1_000
