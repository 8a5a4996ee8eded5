import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate as turn, setTimeout as passed } from 'node:timers/promises'

/** How long a connection may rest before a stop closes it. One in use brings its next request within some milliseconds. */
const REST_MS = 250

/** How long a stop takes connections that wait. Where they never end, the rest is reset. */
const TAKING_MS = 500

/** Stops listening, and lets those who keep a connection hear with their next answer that it was the last one there. Whoever sends a
 *  request into a connection that is being closed hears nothing: it may have been served, so a proxy does not send it again, and the call is
 *  lost. Resolves when all connections that were in use have been told; those that rest are closed then, others once they have rested as long.
 *  @returns what resolves when all connections are closed */
export async function lastAnswers(server: Server): Promise<{ closed: Promise<void> }> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  server.keepAliveTimeout = REST_MS
  server.keepAliveTimeoutBuffer = 0
  await takeWaiting(server)
  // Node's own end of an HTTP server closes at once all connections that rest just now.
  const closed = new Promise<void>((resolve) => {
    Listener.prototype.close.call(server, () => resolve())
  })
  await connectionsRest(server, closed)
  // What has come while the process was busy is read before that.
  await turn()
  server.close(() => undefined)
  return { closed }
}

const FINISHED = 'http.server.response.finish'

/** Resolves when no connection has begun to rest for as long as one may. An answer that was under way as the stop began has told nobody that
 *  it is the last one: whoever asked brings the next request at once. */
async function connectionsRest(server: Server, closed: Promise<void>): Promise<void> {
  let restSinceMs = performance.now()
  const note = (message: unknown): void => {
    const finished = message as { server: Server; response: ServerResponse }
    if (finished.server === server && finished.response.shouldKeepAlive)
      restSinceMs = performance.now()
  }
  subscribe(FINISHED, note)
  let areClosed = false
  const end = closed.then(() => void (areClosed = true))
  for (let restMs = REST_MS; restMs > 0 && !areClosed; ) {
    await Promise.race([end, passed(restMs)])
    restMs = restSinceMs + REST_MS - performance.now()
  }
  unsubscribe(FINISHED, note)
}

/** Connections that wait to be taken are reset together with the socket at which they wait, with all that was sent into them. One is taken in each
 *  turn of the event loop, so a busy process has many. */
async function takeWaiting(server: Server): Promise<void> {
  const until = performance.now() + TAKING_MS
  let quietTurns = 0
  const note = () => void (quietTurns = 0)
  server.on('connection', note)
  // The first turn may end without a look at the sockets.
  while (quietTurns < 2 && performance.now() < until) {
    quietTurns += 1
    await turn()
  }
  server.off('connection', note)
}
