// The npm on the machine, by its own configuration. No shell, no script of any package, not for ever.
import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { npmFailed, npmMissing, refuse } from './install-errors.ts'

const PACK_MS = 120_000
const INSTALL_MS = 300_000
const MAX_OUTPUT_BYTES = 4 * 1_048_576

/** Scope, name; what npm would take for a folder, an address or a flag is none. */
const packageName = /^(?:@[a-z0-9][a-z0-9._-]{0,100}\/)?[a-z0-9][a-z0-9._-]{0,100}$/
const tagName = /^[a-z][a-z0-9._-]{0,63}$/i

export interface NpmPlace {
  /** The variables of the process that are not the gateway's own. */
  environment: Readonly<Record<string, string>>
}

/** `name`, `name@^1.2`, `@scope/name@next`. @throws plugins.not_installable */
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

/** Fetches the packed file of a package into a folder. @returns its path */
export async function packFromRegistry(
  spec: string,
  into: string,
  place: NpmPlace,
): Promise<string> {
  const words = ['pack', '--ignore-scripts', '--pack-destination', into, '--', checkSpec(spec)]
  await npm(words, { ...place, cwd: into, limitMs: PACK_MS, what: spec })
  const file = (await readdir(into)).find((name) => name.endsWith('.tgz'))
  if (file === undefined) throw npmFailed({ what: spec, detail: 'it brought no file' })
  return join(into, file)
}

/** What the plugin needs at run time, into its own node_modules. The host itself is no dependency: `tollgate` is led to the running one. */
export async function installDependencies(folder: string, place: NpmPlace): Promise<void> {
  // It could set where scripts are run and packages come from.
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
  await npm(words, { ...place, cwd: folder, limitMs: INSTALL_MS, what: 'its dependencies' })
}

interface Run extends NpmPlace {
  cwd: string
  limitMs: number
  what: string
}

function npm(words: readonly string[], { environment, cwd, limitMs, what }: Run): Promise<void> {
  const options = {
    cwd,
    env: { ...environment, npm_config_update_notifier: 'false' },
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  } as const
  return new Promise((resolve, reject) => {
    execFile('npm', words, options, (error, _output, errors) => {
      if (!error) resolve()
      else if (error.code === 'ENOENT' || error.code === 'EINVAL')
        reject(npmMissing({}, { cause: error }))
      else {
        const detail = error.killed
          ? `it took longer than ${limitMs / 1000} seconds`
          : sentenceOf(errors)
        reject(npmFailed({ what, detail }, { cause: error }))
      }
    })
  })
}

/** The lines that say something to people. */
function sentenceOf(errors: string): string {
  const lines = errors
    .split('\n')
    .filter((line) => /^npm (?:error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('A complete log'))
  return lines.join(' ').slice(0, 300).replace(/\.$/, '') || 'it gave no reason'
}
