// Finds npm as a program that runs without a shell, because its arguments contain words from clients.
import { existsSync } from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'

export interface NpmProgram {
  command: string
  /** Arguments that come before npm's own. */
  words: readonly string[]
}

export interface Machine {
  environment: Readonly<Record<string, string>>
  /** The Node that runs npm if only npm's script is found; by default the one of this process. */
  node?: string
  platform?: NodeJS.Platform
}

const SCRIPT = ['node_modules', 'npm', 'bin', 'npm-cli.js'] as const

/** Searches the PATH, then beside Node. On Windows npm is a batch file, which only a shell can start, so the script
 *  behind it is returned. */
export function findNpm(machine: Machine): NpmProgram | undefined {
  const { node = process.execPath, platform = process.platform } = machine
  const isWindows = platform === 'win32'
  for (const folder of pathOf(machine.environment, isWindows)) {
    const program = join(folder, isWindows ? 'npm.exe' : 'npm')
    if (existsSync(program)) return { command: program, words: [] }
    const script = join(folder, ...SCRIPT)
    if (isWindows && existsSync(script)) return { command: node, words: [script] }
  }
  const beside = isWindows ? dirname(node) : join(dirname(node), '..', 'lib')
  const script = join(beside, ...SCRIPT)
  return existsSync(script) ? { command: node, words: [script] } : undefined
}

/** Windows writes the name in either case and may quote folders. */
function pathOf(environment: Machine['environment'], isWindows: boolean): string[] {
  const isPath = (name: string) => (isWindows ? name.toUpperCase() === 'PATH' : name === 'PATH')
  const value = Object.entries(environment).find(([name]) => isPath(name))?.[1] ?? ''
  const { delimiter, isAbsolute } = isWindows ? win32 : posix
  const folders = value.split(delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'))
  // A relative folder depends on where the gateway was started and might hold a program that somebody left there.
  return folders.filter((folder) => isAbsolute(folder))
}
