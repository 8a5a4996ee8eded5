// `tollgate plugin dev DIR`: runs a gateway with the plugin switched on and reloads it whenever a file is saved.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { objectIn } from '../../contract/json.ts'
import type { Print } from '../print.ts'
import type { DevNews } from './dev-gateway.ts'
import { placeOfFault } from './place-of-fault.ts'
import { runScript } from './scripts.ts'
import { watchTree } from './watch-tree.ts'

const USAGE = `Usage: tollgate plugin dev DIR [--data DIR]
Without --data it begins with an empty database each time; PORT says where it listens.`

/** Runs until Ctrl-C.
 *  @returns the exit code */
export async function develop(args: readonly string[], print: Print): Promise<number> {
  const wish = wishOf(args)
  if (!wish) {
    print(USAGE)
    return 2
  }
  if (!existsSync(wish.folder)) {
    print(`There is no folder ${wish.folder}.`)
    return 1
  }
  const folder = await realpath(wish.folder)
  const isKept = wish.data !== undefined
  const dataDir = wish.data ?? (await mkdtemp(join(tmpdir(), 'tollgate-dev-')))
  const session = new DevSession(folder, dataDir, print)
  try {
    await session.run()
    return 0
  } finally {
    if (!isKept) await rm(dataDir, { recursive: true, force: true })
  }
}

function wishOf(args: readonly string[]): { folder: string; data: string | undefined } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: { type: 'string' } },
      allowPositionals: true,
    })
    const [folder = '.', ...rest] = positionals
    const { data } = values
    if (rest.length > 0) return undefined
    return { folder: resolve(folder), data: data === undefined ? data : resolve(data) }
  } catch {
    return undefined
  }
}

class DevSession {
  readonly #folder: string
  readonly #dataDir: string
  readonly #print: Print
  #gateway: ChildProcess | undefined
  #isEnding = false
  /** The place named by the log line that came before the message of a failure. */
  #place: string | undefined

  constructor(folder: string, dataDir: string, print: Print) {
    this.#folder = folder
    this.#dataDir = dataDir
    this.#print = print
  }

  /** Resolves when a signal has ended the command and its gateway. */
  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    if (this.#hasSource) await this.#build()
    this.#start()
    let work = Promise.resolve()
    const stop = watchTree(this.#folder, (files) => {
      work = work.then(() => this.#follow(files))
    })
    await ended
    this.#isEnding = true
    stop()
    const gateway = this.#gateway
    if (!gateway) return
    const gone = once(gateway, 'exit')
    gateway.kill('SIGINT')
    await gone
  }

  get #hasSource(): boolean {
    return ['index.tsx', 'index.ts'].some((name) => existsSync(join(this.#folder, 'console', name)))
  }

  /** Builds the console part.
   *  @returns whether that succeeded; faults are printed with file and line */
  async #build(): Promise<boolean> {
    return (await runScript('console/build/build-part.ts', [this.#folder])) === 0
  }

  async #follow(files: readonly string[]): Promise<void> {
    const isOfConsole = (file: string) => file.startsWith(`console/`)
    const isOfTests = (file: string) => file.includes('.test.')
    if (files.some(isOfConsole) && (!this.#hasSource || (await this.#build())))
      this.#print('The console part is new: load the page again.')
    if (!files.some((file) => !isOfConsole(file) && !isOfTests(file))) return
    if (this.#gateway) this.#gateway.send('reload')
    else this.#start()
  }

  #start(): void {
    const gateway = fork(
      new URL('./dev-gateway.ts', import.meta.url),
      [this.#folder, this.#dataDir],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    )
    this.#gateway = gateway
    gateway.on('message', (news: DevNews) => this.#show(news))
    if (gateway.stdout)
      createInterface({ input: gateway.stdout }).on('line', (line) => this.#log(line))
    gateway.once('exit', () => {
      this.#gateway = undefined
      if (!this.#isEnding) this.#print('The gateway has ended. It starts again at the next save.')
    })
  }

  #show(news: DevNews): void {
    if (news.kind === 'serves') {
      this.#print(`Tollgate with ${this.#folder} is running at ${news.address}`)
      if (news.password !== undefined)
        this.#print(`Sign in as root with the password ${news.password}; Ctrl-C ends it.`)
    } else if (news.kind === 'loaded') this.#print(`Loaded in ${news.ms} ms.`)
    else {
      const place = news.place ?? this.#place
      this.#print(`✗ ${news.sentence}${place === undefined ? '' : `\n  at ${place}`}`)
    }
    this.#place = undefined
  }

  /** Log lines are for programs. Of a failure, only the sentence and the place are shown to people. */
  #log(line: string): void {
    const { msg, err }: LogLine = objectIn(line) ?? {}
    const place = placeOfFault(err?.stack ?? '', this.#folder)
    if (msg?.includes('is left out') === true) this.#place = place
    else
      this.#print(
        `✗ ${[msg ?? line, err?.message].filter(Boolean).join(': ')}${place === undefined ? '' : `\n  at ${place}`}`,
      )
  }
}

interface LogLine {
  msg?: string
  err?: { message?: string; stack?: string }
}
