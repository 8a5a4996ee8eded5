/** Servers of Node and uvicorn close an idle connection after 5 s, and uvicorn does not announce it. */
const PLAIN_MS = 4_000
/** A new TLS connection costs a call three round trips: DNS, TCP and TLS. The load balancers in front of providers keep an
 *  idle connection for 60 s (AWS, docs.aws.amazon.com), 75 s (nginx, `keepalive_timeout`) or longer. */
const SECURE_MS = 55_000
/** If more connections are idle, they wait for the shorter time: after a rush they would only occupy memory. */
const MOST_SECURE = 64
/** Subtracted from the time that a server states, because a request needs time to reach it. */
const WAY_MS = 1_000

const LEAST_LIFE_MS = 240_000
const MOST_LIFE_MS = 360_000

/** How long a new connection takes further requests. One that is always in use would otherwise never notice that its host has another address by now.
 *  Not the same for all, so that those which were opened together are not all renewed together. */
export function lifeMs(): number {
  return LEAST_LIFE_MS + Math.random() * (MOST_LIFE_MS - LEAST_LIFE_MS)
}

/** How long a connection may wait for its next request: less than its server waits, so that no request is sent on a
 *  connection that is being closed. 0 or less: not at all.
 *  @param announcedMs how long the server says that it waits (`Keep-Alive: timeout`); Infinity if it does not say
 *  @param resting how many connections to the same origin are idle already */
export function restingMs(
  isSecure: boolean,
  { announcedMs, resting }: { announcedMs: number; resting: number },
): number {
  const isFew = resting < MOST_SECURE
  const known = Number.isFinite(announcedMs)
    ? announcedMs - WAY_MS
    : isSecure
      ? SECURE_MS
      : PLAIN_MS
  return Math.min(known, isFew ? SECURE_MS : PLAIN_MS)
}
