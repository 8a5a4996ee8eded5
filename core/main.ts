// Reads the environment, makes the services, starts the plugin host and listens.
import { createServer, type Server } from 'node:http'
import { readFileSync } from 'node:fs'
import { dirname, join, delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AddressInfo } from 'node:net'
import { defaults } from '../config/defaults.ts'
import { offAtFirstStart } from '../config/plugins.ts'
import { readEnvironment, readVariable, type Environment } from '../config/environment.ts'
import { takeDataDir } from './data-dir.ts'
import { buildHost } from './host.ts'
import { registerResolveHook } from './kernel/resolve-hook.ts'
import type { PluginHost } from './kernel/plugin-host.ts'
import { createLog, type Log } from './log.ts'
import { createServices, type Services } from './services.ts'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export interface Gateway {
  readonly address: string
  readonly host: PluginHost
  readonly services: Services
  /** Stops accepting, lets open answers end, settles, closes. */
  close(): Promise<void>
}

export function packageFacts(): { version: string; repository: string } {
  const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
    repository?: string
  }
  return { version: facts.version, repository: facts.repository ?? '' }
}

/** Everything but the listening socket; commands use it too. */
export async function assemble(
  environment: Environment,
  log: Log = createLog(environment.LOG_LEVEL),
) {
  registerResolveHook(root)
  const { version } = packageFacts()
  const dataDir = environment.DATABASE_URL
    ? { path: environment.DATA_DIR, release: () => undefined }
    : takeDataDir(environment.DATA_DIR)
  try {
    let host: PluginHost | undefined
    const current = () => host?.current.contributions
    const services = await createServices({
      environment,
      dataDir: dataDir.path,
      defaults,
      log,
      adapters: () => current()?.adapterList ?? [],
      notifiers: () => current()?.notifiers.list() ?? [],
    })
    const state = { isReady: false }
    host = buildHost({
      environment,
      services,
      root,
      version,
      log,
      state,
      offAtFirstStart,
      readVariable,
      pluginDirs: environment.PLUGIN_DIRS.split(delimiter).filter(Boolean),
    })
    await host.start()
    await services.channels.reload()
    return { host, services, state, log, releaseDataDir: dataDir.release }
  } catch (error) {
    dataDir.release()
    throw error
  }
}

export async function startGateway(environment: Environment): Promise<Gateway> {
  const { host, services, state, log, releaseDataDir } = await assemble(environment)
  const server = createServer(
    { keepAliveTimeout: 75_000, requestTimeout: 0 },
    (request, response) => host.handle(request, response),
  )
  server.on('upgrade', (request, socket, head) => host.upgrade(request, socket, head))
  await listen(server, environment)
  const address = addressOf(server, environment.HOST)
  state.isReady = true
  log.info({ address }, 'listening')
  let closing: Promise<void> | undefined
  const close = async () => {
    state.isReady = false
    await drain(server, host, environment.SHUTDOWN_SECONDS * 1000, log)
    await services.close()
    releaseDataDir()
  }
  return { address, host, services, close: () => (closing ??= close()) }
}

function listen(server: Server, { PORT, HOST }: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const text =
        error.code === 'EADDRINUSE'
          ? `PORT ${PORT} is in use by another program`
          : `cannot listen on ${HOST}:${PORT}: ${error.message}`
      reject(new Error(text, { cause: error }))
    })
    server.listen(PORT, HOST, resolve)
  })
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** No new connections; open answers may end, at most for the given time. */
async function drain(server: Server, host: PluginHost, limitMs: number, log: Log): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const limit = setTimeout(() => {
    log.warn(
      { inFlight: host.current.inFlight },
      'open answers were cut off at the end of the shutdown time',
    )
    server.closeAllConnections()
  }, limitMs)
  await Promise.all([closed, host.close()])
  clearTimeout(limit)
  clearInterval(idle)
}

async function main(): Promise<void> {
  const gateway = await startGateway(readEnvironment())
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    gateway.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(
      `Tollgate did not start: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    process.exit(1)
  })
}
