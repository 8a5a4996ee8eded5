// What an end may take beyond SHUTDOWN_SECONDS. The files of config/deploy wait 15 seconds beyond it.

/** For connections on which nothing has been said. */
export const SILENCE_MS = 1_000
/** For whom does not read, so that its error cannot be told. */
export const LAST_WORDS_MS = 3_000
/** For what is still to be charged: an adapter that never answers must not keep the process. */
export const SETTLING_MS = 10_000
/** After which a worker that has not ended is killed. */
export const WORKER_END_MS = LAST_WORDS_MS + SETTLING_MS + 1_000
