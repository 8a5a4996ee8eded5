import { type ChildProcess, fork } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject } from '../contract/json.ts'
import { isPluginFacts, type PluginFacts } from '../kernel/manifest/plugin-facts.ts'
import { refuse } from './install-errors.ts'

/** How long a process may take to start on a busy machine. */
const START_MS = 30_000

const child = fileURLToPath(new URL('./inspect-child.ts', import.meta.url))

interface Inspection {
  /** The repository's folder. */
  root: string
  folder: string
  entry: string
  limitMs: number
}

/** Reads a manifest in another process, which may not write, sees no environment variable and reads only the files it
 *  needs. The plugin's code does not run in the gateway before somebody has seen what it asks for.
 *  @throws plugins.not_installable */
export async function inspect({ root, folder, entry, limitMs }: Inspection): Promise<PluginFacts> {
  // Permissions to read apply to real paths, behind symbolic links.
  const readable = ['core', 'node_modules', 'package.json'].map((name) => join(root, name))
  const allowed = [...readable, folder].flatMap((path) => [path, realpathSync(path)])
  const reader = fork(child, [root, entry, relative(folder, entry)], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--permission', ...new Set(allowed.map((path) => `--allow-fs-read=${path}`))],
  })
  const said = await answerOf(reader, limitMs)
  if (said.facts) return said.facts
  return refuse(
    `its manifest cannot be read: ${said.fault ?? 'it gave no answer'}.`,
    `无法读取其清单：${said.fault ?? '没有应答'}。`,
  )
}

interface Said {
  /** The plugin's code is about to run. */
  isUp?: true
  facts?: PluginFacts
  fault?: string
}

/** Node's own codes. */
const exits: Readonly<Record<string, string>> = {
  13: 'an await at the top of its code waits for what never comes',
}

function answerOf(reader: ChildProcess, limitMs: number): Promise<Said> {
  return new Promise((resolve) => {
    const end = (said: Said) => {
      clearTimeout(timer)
      reader.kill('SIGKILL')
      resolve(said)
    }
    const tooLate = (ms: number) =>
      setTimeout(() => end({ fault: `it took longer than ${ms} ms` }), ms)
    let timer = tooLate(START_MS)
    reader.on('message', (message) => {
      const said = saidIn(message)
      if (!said.isUp) return end(said)
      clearTimeout(timer)
      timer = tooLate(limitMs)
    })
    reader.once('error', (error) => end({ fault: error.message }))
    reader.once('exit', (code) => end({ fault: exits[`${code}`] ?? 'its code ended the process' }))
  })
}

/** Checks the message, because it comes from a process in which the plugin's code has run. */
function saidIn(message: unknown): Said {
  const { isUp, facts, fault } = isObject(message) ? message : {}
  if (isUp === true) return { isUp }
  if (isPluginFacts(facts)) return { facts }
  return { fault: typeof fault === 'string' ? fault : 'what it says is no manifest' }
}
