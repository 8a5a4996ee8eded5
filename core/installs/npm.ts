// Runs the npm of this machine with the machine's configuration, without a shell, without scripts of packages, and with
// a time limit.
import { execFile, type ExecFileException } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import semver from 'semver'
import { isTooMuch, MAX_BYTES, MAX_ENTRIES } from './bounds.ts'
import { findNpm, type Machine } from './find-npm.ts'
import { npmFailed, npmMissing, refuse } from './install-errors.ts'

const PACK_MS = 120_000
const INSTALL_MS = 300_000
const MAX_OUTPUT_BYTES = 4 * 1_048_576
/** Time between two checks of how much npm has downloaded. */
const LOOK_MS = 1_000

/** Scope and name. Words that npm would read as a folder, an address or a flag do not match. */
const packageName = /^(?:@[a-z0-9][a-z0-9._-]{0,100}\/)?[a-z0-9][a-z0-9._-]{0,100}$/
const tagName = /^[a-z][a-z0-9._-]{0,63}$/i

/** Includes the variables of this process that are not the gateway's own. */
export type NpmPlace = Machine

/** Accepts `name`, `name@^1.2` and `@scope/name@next`.
 *  @throws plugins.not_installable */
export function checkSpec(spec: string): string {
  const at = spec.indexOf('@', 1)
  const name = at < 0 ? spec : spec.slice(0, at)
  const range = at < 0 ? '' : spec.slice(at + 1)
  const isRange =
    range !== '' &&
    range.length <= 80 &&
    semver.validRange(range) !== null &&
    !/[^\x20-\x7e]/.test(range)
  if (!packageName.test(name) || !(at < 0 || isRange || tagName.test(range)))
    refuse(
      `"${spec.slice(0, 80)}" is no npm package such as name, name@^1.2 or @scope/name@next.`,
      `“${spec.slice(0, 80)}”不是 npm 包名，例如 name、name@^1.2 或 @scope/name@next。`,
    )
  return spec
}

/** Downloads the packed file of a package into a folder.
 *  @returns its path */
export async function packFromRegistry(
  spec: string,
  into: string,
  place: NpmPlace,
): Promise<string> {
  const words = ['pack', '--ignore-scripts', '--pack-destination', into, '--', checkSpec(spec)]
  await npm(words, { ...place, cwd: into, brings: into, limitMs: PACK_MS, what: spec })
  const file = (await readdir(into)).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw npmFailed({ what: spec, detail: 'it brought no file' })
  return join(into, file)
}

/** Installs the plugin's run-time dependencies into its own node_modules. The host is not among them: `tollgate`
 *  resolves to the running gateway. */
export async function installDependencies(folder: string, place: NpmPlace): Promise<void> {
  // The plugin's .npmrc could enable scripts or choose another registry.
  await rm(join(folder, '.npmrc'), { force: true })
  const words = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-bin-links',
    '--legacy-peer-deps',
    '--workspaces=false',
  ]
  const brings = join(folder, 'node_modules')
  await npm(words, { ...place, cwd: folder, brings, limitMs: INSTALL_MS, what: 'its dependencies' })
}

interface Run extends NpmPlace {
  cwd: string
  /** The folder whose size is limited. */
  brings: string
  limitMs: number
  what: string
}

async function npm(words: readonly string[], run: Run): Promise<void> {
  const { environment, cwd, brings, limitMs } = run
  const program = findNpm(run)
  if (!program) throw npmMissing()
  const options = {
    cwd,
    env: { ...environment, npm_config_update_notifier: 'false' },
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  } as const
  const ended = Promise.withResolvers<void>()
  const child = execFile(
    program.command,
    [...program.words, ...words],
    options,
    (error, _output, errors) => {
      if (error) ended.reject(faultOf(error, errors, run))
      else ended.resolve()
    },
  )
  const watch = watchSize(brings, () => child.kill('SIGKILL'))
  // The files may only be removed after a killed npm has really ended.
  const outcome = await ended.promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (await watch.isExceeded()) tooMuch(run.what)
  if (outcome) throw outcome.error
}

function faultOf(error: ExecFileException, errors: string, { what, limitMs }: Run): Error {
  if (error.code === 'ENOENT' || error.code === 'EINVAL') return npmMissing({}, { cause: error })
  const detail = error.killed ? `it took longer than ${limitMs / 1000} seconds` : sentenceOf(errors)
  return npmFailed({ what, detail }, { cause: error })
}

/** Checks the size repeatedly until it is stopped, and once more at the end. */
function watchSize(folder: string, onTooMuch: () => void) {
  const ended = new AbortController()
  const watching = (async () => {
    while (!ended.signal.aborted) {
      if (await isTooMuch(folder)) return onTooMuch()
      await wait(LOOK_MS, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()
  return {
    isExceeded: async (): Promise<boolean> => {
      ended.abort()
      await watching
      return isTooMuch(folder)
    },
  }
}

const tooMuch = (what: string): never =>
  refuse(
    `npm brings more than ${MAX_ENTRIES} files or ${MAX_BYTES / 1_048_576} MiB for ${what}. Bundle what is needed at run time into the plugin, or depend on something smaller.`,
    `npm 为 ${what} 带来的内容超过 ${MAX_ENTRIES} 个文件或 ${MAX_BYTES / 1_048_576} MiB。请将运行时所需内容打包进插件，或改用更小的依赖。`,
  )

/** The lines of npm's output that are meant for people. */
function sentenceOf(errors: string): string {
  const lines = errors
    .split('\n')
    .filter((line) => /^npm (?:error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log'))
  return lines.join(' ').slice(0, 300).replace(/\.$/, '') || 'it gave no reason'
}
