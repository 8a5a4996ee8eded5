// Prometheus text for scrapers on this machine, on a port of its own.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Metrics } from '../observability/metrics.ts'

const LOOPBACK = '127.0.0.1'

/**
 * Serves `GET /metrics` on the loopback without a token. A port of its own, because on the gateway's port a proxy on the same machine,
 * behind which stands anybody, cannot be told from a scraper.
 * @throws Error naming METRICS_PORT when it is taken
 */
export async function listenForScrapers(
  port: number,
  metrics: Metrics,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isAsked || !isNamedLocally(request)) {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await listen(server, port)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A page in a browser on this machine could reach the port under a name that its author had lead here; it cannot change the name. */
function isNamedLocally({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase()
  return name === LOOPBACK || name === 'localhost'
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text =
        error.code === 'EADDRINUSE'
          ? `METRICS_PORT ${port} is in use by another program`
          : `cannot listen on METRICS_PORT ${port}: ${error.message}`
      reject(new Error(text, { cause: error }))
    })
    server.listen(port, LOOPBACK, resolve)
  })
}
