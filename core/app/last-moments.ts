// How long a stop may take beyond SHUTDOWN_SECONDS. The files of config/deploy wait 15 seconds beyond it.

/** For connections on which nothing was ever sent. */
export const SILENCE_MS = 1_000
/** For clients that do not read, so that their error cannot be sent. */
export const LAST_WORDS_MS = 3_000
/** For calls that are still to be charged: an adapter that never answers must not keep the process alive. */
export const SETTLING_MS = 10_000
/** Time after which a worker that has not ended is killed. */
export const WORKER_END_MS = LAST_WORDS_MS + SETTLING_MS + 1_000
