// Where npm is on this machine, as a program that is started without a shell: what a client names stands among its words.
import { existsSync } from 'node:fs'
import { dirname, join, posix, win32 } from 'node:path'

export interface NpmProgram {
  command: string
  /** Before those of npm itself. */
  words: readonly string[]
}

export interface Machine {
  environment: Readonly<Record<string, string>>
  /** The Node that runs npm where only its script is found; default: the one that runs this. */
  node?: string
  platform?: NodeJS.Platform
}

const SCRIPT = ['node_modules', 'npm', 'bin', 'npm-cli.js'] as const

/** On the PATH, else beside Node. On Windows npm is a batch file, which only a shell could start: the script that it would run is taken. */
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

/** Windows writes the name in either case, and may quote a folder. */
function pathOf(environment: Machine['environment'], isWindows: boolean): string[] {
  const isPath = (name: string) => (isWindows ? name.toUpperCase() === 'PATH' : name === 'PATH')
  const value = Object.entries(environment).find(([name]) => isPath(name))?.[1] ?? ''
  const { delimiter, isAbsolute } = isWindows ? win32 : posix
  const folders = value.split(delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'))
  // Another word for "wherever the gateway was started" finds a program that somebody left there.
  return folders.filter((folder) => isAbsolute(folder))
}
