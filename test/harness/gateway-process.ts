// Starts core/start.ts as a process and waits until it prints its address; or the same gateway, or a command, within the process of the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** The limit for a start on a loaded machine, migrations included. */
const startTimeoutMs = 150_000
/** How much output is kept for the message of a failed test. */
const keptLogLines = 400

export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  /** The last lines of stdout and stderr. */
  log(): string
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>
}

export interface StartOptions {
  env: Record<string, string>
  /** A command in front of `node core/start.ts`, for example `taskset -c 0`. */
  prefix?: readonly string[]
  /** Arguments after `core/start.ts`. */
  words?: readonly string[]
  /** Runs another checkout than this one. */
  folder?: string
}

/** @throws Error with the last lines of output if the process ends or does not start in time */
export async function startGateway({
  env,
  prefix = [],
  words = [],
  folder = repository,
}: StartOptions): Promise<GatewayProcess> {
  // As `npm start` does: a larger young generation, since calls live until their batch is committed.
  const command = [
    ...prefix,
    process.execPath,
    '--max-semi-space-size=32',
    // An older checkout may have the other entry.
    existsSync(join(folder, 'core/start.ts')) ? 'core/start.ts' : 'core/main.ts',
    ...words,
  ]
  const child = spawn(command[0] ?? process.execPath, command.slice(1), {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const lines: string[] = []
  try {
    const url = await listeningAddress(child, lines)
    return handleOf(child, url, lines)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** Ends gateways that a failed test has left behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function handleOf(child: ChildProcess, url: string, lines: string[]): GatewayProcess {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded()) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url,
    pid: child.pid ?? 0,
    log: () => lines.join('\n'),
    stop: async () => {
      await end('SIGTERM')
      return child.exitCode
    },
    kill: () => end('SIGKILL'),
  }
}

function listeningAddress(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}\n${lines.join('\n')}`))
    const timer = setTimeout(() => fail('the gateway did not start in time'), startTimeoutMs)
    const take = (line: string) => {
      lines.push(line)
      if (lines.length > keptLogLines) lines.shift()
      const address = addressIn(line)
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    for (const output of [child.stdout, child.stderr]) {
      if (output) createInterface({ input: output }).on('line', take)
    }
    child.once('error', (error) => fail(`the gateway could not be started: ${error.message}`))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      // Runs after the last lines have been read; does nothing once the address is known.
      setImmediate(() => fail(`the gateway ended with ${signal ?? `code ${code}`}`))
    })
  })
}

function addressIn(line: string): string | undefined {
  if (!line.includes('"listening"')) return undefined
  try {
    const entry = JSON.parse(line) as { msg?: unknown; address?: unknown }
    return entry.msg === 'listening' && typeof entry.address === 'string'
      ? entry.address
      : undefined
  } catch {
    return undefined
  }
}

/** A gateway in the process of the test: real services and a real port, for a tenth of the processor time of a process of its own, which loads
 *  two thousand files. Its log is silent; it reads no variables but those it is given.
 *  @throws Error if it does not start, or if the options are those of a process */
export async function startGatewayWithin({
  env,
  prefix,
  words = [],
  folder,
}: StartOptions): Promise<GatewayProcess> {
  if (prefix !== undefined || words.length > 0 || folder !== undefined || 'NODE_OPTIONS' in env)
    throw needsProcess()
  // Not before: not each test that starts a process needs all of the gateway in its own.
  const { environmentSchema, readSettings } = await import('../../core/app/configuration.ts')
  const { startGateway } = await import('../../core/main.ts')
  const variables: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...env,
    LOG_LEVEL: 'silent',
  }
  const isForeign = ([name]: [string, string]) => !Object.hasOwn(environmentSchema.properties, name)
  const gateway = await startGateway({
    ...readSettings(variables),
    readVariable: (name) => variables[name],
    foreignVariables: () => Object.fromEntries(Object.entries(variables).filter(isForeign)),
  })
  return {
    url: gateway.address,
    get pid(): number {
      throw needsProcess()
    },
    log: () => {
      throw needsProcess()
    },
    stop: async () => {
      await gateway.close()
      return 0
    },
    kill: () => Promise.reject(needsProcess()),
  }
}

const needsProcess = () => new Error('only a gateway that is a process of its own has that')

/** A command of the CLI in the process of the test: what its function does and prints, without the one or two seconds of processor time that a
 *  process takes only to load it. What stands before the function (words, options of Node, exit code) needs `app.command`.
 *  @param env the variables of the command, as if they were those of its process: `app.env`
 *  @returns what it prints, and the code that it ends with: 1 with the reason if it throws */
export async function commandWithin(
  env: Readonly<Record<string, string>>,
  run: (print: (line: string) => void) => Promise<number>,
): Promise<{ code: number; output: string }> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  const lines: string[] = []
  Object.assign(process.env, env)
  try {
    const code = await run((line) => void lines.push(line))
    return { code, output: textOf(lines) }
  } catch (error) {
    const { reasonOf } = await import('../../core/app/terminal.ts')
    return { code: 1, output: textOf([...lines, reasonOf(error)]) }
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
