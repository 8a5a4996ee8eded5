/** Node's and uvicorn's servers drop a silent connection after 5 s, and uvicorn does not say so. */
const PLAIN_MS = 4_000
/** A new connection through TLS costs a call three ways to its provider and back, DNS, TCP and TLS. What stands before providers keeps a silent one
 *  for 60 s (AWS's load balancers, docs.aws.amazon.com), 75 s (nginx, `keepalive_timeout`) or longer. */
const SECURE_MS = 55_000
/** More than these rest for the shorter time: after a rush they would only hold memory. */
const MOST_SECURE = 64
/** What a server says of its own patience is shortened by the way of a request. */
const WAY_MS = 1_000

/**
 * How long a connection may wait for its next request, below what its server bears, so that no request meets a closing one.
 * @param announcedMs what the server says of its patience (`Keep-Alive: timeout`); Infinity where it says nothing
 * @param resting connections to the same origin that wait already
 * @returns 0 or less: not at all
 */
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
