// Serves Prometheus metrics to scrapers on this machine, on a separate port.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Metrics } from '../observability/metrics.ts'

const LOOPBACK = '127.0.0.1'

/** Serves `GET /metrics` on the loopback interface without a token. On the gateway's own port, requests that a local
 *  proxy forwards from anywhere could not be told from a scraper's.
 *  @throws Error naming METRICS_PORT if the port is taken */
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

/** A web page could reach the port through a host name that its author points to this machine (DNS rebinding), but it
 *  cannot change the Host header. */
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
