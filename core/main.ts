// Makes the services, starts the plugin host and listens.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { closeAll } from './app/close-all.ts'
import { defaults, readSettings } from './app/configuration.ts'
import { sharedDataDir, takeDataDir } from './app/data-dir.ts'
import { noteCrashes, takeCrashes } from './app/plugin-crashes.ts'
import type { GatewaySettings } from './app/gateway-settings.ts'
import { buildHost } from './app/host.ts'
import { LAST_WORDS_MS, SETTLING_MS, SILENCE_MS } from './app/shutdown-times.ts'
import { warnOfLittleMemory } from './app/little-memory.ts'
import { listenForScrapers } from './http/metrics-listener.ts'
import { limitConnections } from './http/connection-limit.ts'
import { refuseUnread } from './http/unread-requests.ts'
import { asksForWebSocket } from './http/upgrades.ts'
import { lastAnswers } from './net/clients/last-answers.ts'
import { SilentConnections } from './net/clients/silent-connections.ts'
import { registerResolveHook } from './kernel/resolve-hook.ts'
import { noteRejection } from './kernel/plugin-context.ts'
import type { PluginHost } from './kernel/host/plugin-host.ts'
import { createLog, type Log } from './observability/log.ts'
import { createMetrics } from './observability/metrics.ts'
import { LogRedaction } from './secrets/log-redaction.ts'
import { root } from './app/root.ts'
import { createServices, type Services } from './app/services.ts'
import { endWithParent, greet, reasonOf } from './app/terminal.ts'
import { runWorkers } from './app/workers/run-workers.ts'
import { takeSeat, type WorkerSeat } from './app/workers/worker-seat.ts'

export interface Gateway {
  readonly address: string
  readonly host: PluginHost
  readonly services: Services
  /** Stops accepting, lets open answers end, settles, closes. */
  close(): Promise<void>
}

/** For the line and headers of a request. */
const HEADERS_TIMEOUT_MS = 30_000
/** For all of a request; the answer may take longer. The largest body over a line of 1 Mbit/s takes 18 minutes. */
const REQUEST_TIMEOUT_MS = 3_600_000
/** How many connections may wait until this process takes them: many clients that were let go elsewhere come at once, and those beyond are reset. Linux
 *  lets no more wait than `net.core.somaxconn`. */
const WAITING_CLIENTS = 4_096

/** Everything but the listening socket; commands use it too. */
export async function assemble(
  settings: GatewaySettings,
  { isServing = true, seat }: { isServing?: boolean; seat?: WorkerSeat | undefined } = {},
) {
  const redaction = new LogRedaction()
  const log = createLog(settings.logLevel, redaction, seat?.number)
  registerResolveHook(root)
  logRejections(log)
  const dataDir = settings.databaseUrl
    ? sharedDataDir(settings.dataDir)
    : takeDataDir(settings.dataDir)
  let stopNoting = () => {}
  const releaseDataDir = () => {
    stopNoting()
    dataDir.release()
  }
  try {
    let host: PluginHost | undefined
    const generation = () => (host?.contributions ? host.current : { number: 0, inFlight: 0 })
    const services = await createServices({
      settings,
      dataDir: dataDir.path,
      defaults,
      log,
      redaction,
      adapters: () => host?.contributions?.adapterList ?? [],
      notifiers: () => host?.contributions?.notifiers.list() ?? [],
      logSinks: () => host?.contributions?.logSinks.owned(),
      jobs: () => host?.contributions?.jobs.owned() ?? [],
      windows: seat?.windows,
      traces: isServing ? await tracesOf(settings, log) : undefined,
      generation,
    })
    const state = { isReady: false }
    const own = createMetrics({
      ...services,
      plugins: () => host?.list() ?? [],
      ofPlugins: () => host?.contributions?.metrics.owned() ?? [],
      build: { version: settings.version, database: services.database.dialect },
      worker: seat?.number,
    })
    const metrics = seat?.share(own) ?? own
    host = buildHost({ settings, services, defaults, root, log, state, metrics })
    if (isServing) stopNoting = noteCrashes(dataDir.path)
    await host.start({ isServing, crashes: isServing ? takeCrashes(dataDir.path) : [] })
    services.logSinks.begin()
    await services.channels.reload()
    return { host, services, state, metrics, log, releaseDataDir }
  } catch (error) {
    releaseDataDir()
    throw error
  }
}

/** Imported only if it is on, because the packages add some hundred milliseconds to the start. */
async function tracesOf({ traces, version }: GatewaySettings, log: Log) {
  if (!traces) return undefined
  const { openTraces } = await import('./observability/traces/open-traces.ts')
  return openTraces({ settings: traces, version, log })
}

/** @param seat the worker's seat, if it shares the port with others */
export async function startGateway(settings: GatewaySettings, seat?: WorkerSeat): Promise<Gateway> {
  const assembled = await assemble(settings, { seat })
  const { host, services, state, metrics, log, releaseDataDir } = assembled
  warnOfLittleMemory(settings.memoryBytes, log)
  const server = createServer(
    {
      keepAliveTimeout: 75_000,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      shouldUpgradeCallback: asksForWebSocket,
    },
    (request, response) => host.handle(request, response),
  )
  services.loopback.serve(server)
  limitConnections(server, settings.openCalls, log)
  refuseUnread(server, log)
  const silent = new SilentConnections(server)
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    host.upgrade(request, socket, head)
  })
  const hasScrapers = settings.metricsPort > 0 && seat === undefined
  const scrapers = hasScrapers ? await listenForScrapers(settings.metricsPort, metrics) : undefined
  const port = (await seat?.takePort()) ?? settings.port
  await listen(server, { ...settings, port })
  // A failed accept must not close the open connections.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'))
  const address = addressOf(server, settings.host)
  const serve = () => {
    state.isReady = true
    services.monitoring.begin()
  }
  if (seat) seat.listening(address, serve)
  else {
    serve()
    log.info({ address }, 'listening')
  }
  let closing: Promise<void> | undefined
  const close = async () => {
    state.isReady = false
    const served = { server, upgraded, silent }
    await closeAll([
      () => drain(served, host, { limitMs: settings.shutdownMs, log, services }),
      async () => scrapers?.close(),
      () => services.close(),
    ]).finally(releaseDataDir)
  }
  return { address, host, services, close: () => (closing ??= close()) }
}

function listen(server: Server, { port, host }: GatewaySettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text =
        error.code === 'EADDRINUSE'
          ? `PORT ${port} is in use by another program`
          : `cannot listen on HOST ${host}, PORT ${port}: ${error.message}`
      reject(new Error(text, { cause: error }))
    })
    server.listen({ port, host, backlog: WAITING_CLIENTS }, resolve)
  })
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

interface Connections {
  server: Server
  upgraded: ReadonlySet<Duplex>
  silent: SilentConnections
}

/** Accepts no new connections and lets open answers finish for at most the given time. Those still open then end with an error. */
async function drain(
  { server, upgraded, silent }: Connections,
  host: PluginHost,
  { limitMs, log, services }: { limitMs: number; log: Log; services: Services },
): Promise<void> {
  const { openCalls, realtime, responseSockets, sockets } = services
  realtime.end()
  responseSockets.end()
  sockets.end()
  // What was on its way as the stop began has come by then.
  const quiet = setTimeout(() => silent.end(), SILENCE_MS)
  let giveUp: () => void = () => undefined
  const stuck = new Promise<void>((resolve) => (giveUp = resolve))
  let isOver = false
  const cutOff = () => {
    server.closeAllConnections()
    for (const socket of upgraded) socket.destroy()
    limit = setTimeout(() => {
      log.error('calls that never end were left behind; what they had reserved is given back')
      giveUp()
    }, SETTLING_MS)
  }
  let limit = setTimeout(() => {
    log.warn(
      { inFlight: host.current.inFlight },
      'open answers were cut off at the end of the shutdown time',
    )
    openCalls.cutShort()
    realtime.stop()
    responseSockets.stop()
    // On a busy machine, counting what was delivered may take longer than sending the last words: their time limit begins afterwards.
    setImmediate(() => {
      if (!isOver) limit = setTimeout(cutOff, LAST_WORDS_MS)
    })
  }, limitMs)
  const { closed } = await lastAnswers(server)
  await Promise.race([Promise.all([closed, host.close(), openCalls.idle()]), stuck])
  isOver = true
  clearTimeout(limit)
  clearTimeout(quiet)
}

/** Serves until a signal asks it to stop, also one that comes during the start. */
export async function main(): Promise<void> {
  const settings = { ...readSettings(), isSafe: process.argv.includes('--safe') }
  const seat = takeSeat()
  if (seat === undefined && settings.workers > 1) return runWorkers(settings)
  const starting = startGateway(settings, seat)
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    starting
      .then((gateway) => gateway.close().catch(logBadEnd))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.once('SIGINT', stop)
  if (process.argv.includes('--end-with-parent')) endWithParent(stop)
  // Whoever signals a whole group of processes tells some of them twice: from there and by the process that started them.
  process.on('SIGTERM', stop)
  // A terminal that is closed tells all of its processes, also those that `nohup` started: Node forgets that they need not hear it.
  process.on('SIGHUP', stop)
  seat?.onOrphaned(stop)
  const { address } = await starting
  if (!seat) greet(address)
}

let rejectionLog: Log | undefined

function logBadEnd(error: unknown): never {
  rejectionLog?.error({ err: error }, 'the gateway did not end cleanly')
  throw error
}

/** An unhandled rejection of a plugin must not end the gateway for everybody, not even during the start. An uncaught exception does end it: what
 *  it left half done is unknown, and the books recover at the next start. */
function logRejections(log: Log): void {
  if (rejectionLog === undefined)
    process.on('unhandledRejection', (error) => {
      const plugin = noteRejection(error)
      rejectionLog?.error({ err: error, plugin }, 'a rejected promise was not handled')
    })
  rejectionLog = log
}

/** The whole life of a process. */
export function begin(): void {
  main().catch((error: unknown) => {
    process.stderr.write(`Tollgate did not start: ${reasonOf(error)}\n`)
    process.exit(1)
  })
}

if (import.meta.main) begin()
