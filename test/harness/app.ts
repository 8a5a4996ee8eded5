// A whole gateway for a test: a process with its own data directory, set up and signed in.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiClient, ApiRefusal } from './api-client.ts'
import {
  type GatewayProcess,
  startGateway,
  startGatewayWithin,
  type StartOptions,
} from './gateway-process.ts'
import { layMigratedFile } from './sqlite.ts'

const cli = fileURLToPath(new URL('../../core/cli/tollgate.js', import.meta.url))

export const rootAccount = { username: 'root', password: 'correct horse battery' } as const

export interface AppOptions {
  env?: Record<string, string>
  prefix?: readonly string[]
  /** Runs another checkout than this one. */
  folder?: string
  /** False: a first start in an empty folder, with the setup left to the test. */
  isSetUp?: boolean
  /** Plugins of PLUGIN_DIRS to switch on, because they are off at first. */
  plugins?: readonly string[]
  /** Runs in the process of the test (`startGatewayWithin`), for what needs no process of its own. */
  isWithin?: boolean
}

export interface App {
  readonly url: string
  readonly dataDir: string
  /** The variables that it is started with, beside those of the test's own process. */
  readonly env: Readonly<Record<string, string>>
  /** Signed in as the first super admin, unless the setup was left out. */
  readonly root: ApiClient
  readonly process: GatewayProcess
  /** Ends the process, by SIGTERM or SIGKILL, and starts a new one over the same data. `root` signs in again. */
  restart(how?: 'stop' | 'kill', words?: readonly string[]): Promise<void>
  /** The same, but what goes on over the data runs in the process of the test (`isWithin`): for what a process has left behind, whoever finds it. */
  goOnWithin(how: 'stop' | 'kill'): Promise<void>
  /** Runs a command of the CLI over the same data: `app.command('ledger', 'verify')`. */
  command(...words: string[]): Promise<{ code: number; output: string }>
  /** The same with additional environment variables. */
  commandIn(
    env: Record<string, string>,
    ...words: string[]
  ): Promise<{ code: number; output: string }>
  /** Stops the process and removes its data. */
  close(): Promise<void>
}

export async function startApp({
  env = {},
  prefix,
  folder,
  isSetUp = true,
  plugins = [],
  isWithin = false,
}: AppOptions = {}): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-app-'))
  const options = {
    env: { ...testEnvironment, ...databaseOfRun(), DATA_DIR: dataDir, ...env },
    ...(prefix ? { prefix } : {}),
    ...(folder === undefined ? {} : { folder }),
  }
  const isOnSqlite = ({ ...databaseOfRun(), ...env }['DATABASE_URL'] ?? '') === ''
  if (isSetUp && isOnSqlite && folder === undefined) await layMigratedFile(dataDir)
  const start = isWithin ? startGatewayWithin : startGateway
  const app = new RunningApp({ dataDir, options, start, running: await start(options) })
  try {
    if (isSetUp) await app.setUp()
    for (const id of plugins) {
      const answer = await app.root.switchPlugin(id, true)
      if (!answer.success) throw new ApiRefusal(`switching ${id} on`, answer)
    }
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

/** What every test needs: a free port, no request limits, and permission for users to name loopback addresses. */
const testEnvironment = {
  PORT: '0',
  HOST: '127.0.0.1',
  SSRF_ALLOW: '127.0.0.0/8',
  LOG_LEVEL: 'info',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
}

/** SQLite, unless the tests of a file run on another database (journeys/faults/on-postgres.long.test.ts). */
function databaseOfRun(): Record<string, string> {
  const url = process.env.TEST_GATEWAY_DATABASE
  return url === undefined ? {} : { DATABASE_URL: url }
}

interface Started {
  dataDir: string
  options: StartOptions
  start: (options: StartOptions) => Promise<GatewayProcess>
  running: GatewayProcess
}

class RunningApp implements App {
  readonly dataDir: string
  readonly #options: StartOptions
  #start: Started['start']
  #process: GatewayProcess
  #root: ApiClient

  constructor({ dataDir, options, start, running }: Started) {
    this.dataDir = dataDir
    this.#options = options
    this.#start = start
    this.#process = running
    this.#root = new ApiClient(running.url)
  }

  get url(): string {
    return this.#process.url
  }

  get env(): Readonly<Record<string, string>> {
    return this.#options.env ?? {}
  }

  get process(): GatewayProcess {
    return this.#process
  }

  get root(): ApiClient {
    return this.#root
  }

  async setUp(): Promise<void> {
    const { username, password } = rootAccount
    await this.#root.post('/api/setup', { username, password, confirmPassword: password })
    await this.#root.signIn(username, password)
  }

  async restart(how: 'stop' | 'kill' = 'stop', words: readonly string[] = []): Promise<void> {
    await this.#process[how]()
    this.#process = await this.#start({ ...this.#options, words })
    this.#root = await new ApiClient(this.url).signIn(rootAccount.username, rootAccount.password)
  }

  goOnWithin(how: 'stop' | 'kill'): Promise<void> {
    this.#start = startGatewayWithin
    return this.restart(how)
  }

  command(...words: string[]): Promise<{ code: number; output: string }> {
    return this.commandIn({}, ...words)
  }

  commandIn(
    more: Record<string, string>,
    ...words: string[]
  ): Promise<{ code: number; output: string }> {
    const env = { ...process.env, ...this.#options.env, ...more }
    return new Promise((resolve) => {
      execFile(process.execPath, [cli, ...words], { env }, (error, output, errors) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + errors })
      })
    })
  }

  async close(): Promise<void> {
    await this.#process.stop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}
