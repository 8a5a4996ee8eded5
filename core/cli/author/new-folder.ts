// `tollgate plugin new` and `tollgate adapter new`: create a folder from a template of docs/templates. The result
// passes its own tests unchanged.
import { existsSync, globSync, readdirSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../app/root.ts'
import type { Print } from '../print.ts'
import { formsOf, nameFault, type NameForms, renamed } from './name-of-plugin.ts'

/** What a command creates. `room` holds one template for each kind that `flag` can name. */
export interface Making {
  what: 'plugin' | 'adapter'
  room: string
  flag: string
  /** The kind without the flag. */
  fallback?: string
}

const templates = join(root, 'docs/templates')
/** The plugin's name in all templates. */
const SAMPLE = 'acme'

/** @returns the exit code */
export async function newFolder(
  making: Making,
  args: readonly string[],
  print: Print,
): Promise<number> {
  const wish = wishOf(making, args)
  if (typeof wish === 'string') {
    print(wish)
    return 2
  }
  const { name, kind } = wish
  const folder = resolve(name)
  const fault = nameFault(name, root) ?? placeFault(folder)
  if (fault !== undefined) {
    print(fault)
    return 1
  }
  const forms = formsOf(name)
  const from = join(templates, making.room, kind, SAMPLE)
  await writeFiles(from, folder, forms)
  await writeFiles(join(templates, 'shared'), folder, forms)
  await writePackage(folder, forms)
  await linkHost(folder)
  print(`Made ${relative(process.cwd(), folder)} (${making.what}, ${kind}).`)
  print(`cd ${name} && npm test`)
  return 0
}

function kindsIn(room: string): string[] {
  return readdirSync(join(templates, room)).sort()
}

/** Reads the arguments.
 *  @returns what to create, or a sentence that says what is wrong */
function wishOf(
  { what, room, flag, fallback }: Making,
  args: readonly string[],
): { name: string; kind: string } | string {
  const kinds = kindsIn(room)
  const choice = fallback === undefined ? `--${flag} KIND` : `[--${flag} KIND]`
  const usage = `Usage: tollgate ${what} new NAME ${choice}, KIND one of ${kinds.join(', ')}`
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { [flag]: { type: 'string' } },
      allowPositionals: true,
    })
    const [name, ...rest] = positionals
    const kind = values[flag] ?? fallback
    if (name === undefined || rest.length > 0 || typeof kind !== 'string') return usage
    if (!kinds.includes(kind))
      return `There is no kind "${kind.slice(0, 80)}": choose one of ${kinds.join(', ')}.`
    return { name, kind }
  } catch {
    return usage
  }
}

function placeFault(folder: string): string | undefined {
  if (existsSync(folder)) return `${folder} is there already: nothing was changed.`
  if (['plugins', 'adapters'].some((room) => folder.startsWith(join(root, room, '/'))))
    return 'Make it outside the checkout of Tollgate: what lies in its plugins/ and adapters/ comes with the gateway.'
  return undefined
}

async function writeFiles(from: string, folder: string, forms: NameForms): Promise<void> {
  const files = globSync('**/*', { cwd: from, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('dist') && file !== PACKAGE)
  for (const file of files) {
    const name = file === 'gitignore' ? '.gitignore' : renamed(file, forms)
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, renamed(await readFile(join(from, file), 'utf8'), forms))
  }
}

/** Templates have their package.json under another name, because it would separate them from the package that contains them. */
const PACKAGE = 'package.template.json'

interface PackageFile {
  scripts: Record<string, string>
  devDependencies: Record<string, string>
}

async function writePackage(folder: string, forms: NameForms): Promise<void> {
  const text = renamed(await readFile(join(templates, 'shared', PACKAGE), 'utf8'), forms)
  const facts = JSON.parse(text) as PackageFile
  if (existsSync(join(folder, 'console/index.tsx'))) {
    facts.scripts['build'] = 'tollgate plugin build .'
    facts.scripts['pretest'] = 'tollgate plugin build .'
    facts.scripts['prepack'] = 'tollgate plugin build .'
  }
  facts.devDependencies['tollgate'] = `file:${relative(folder, root)}`
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`)
}

/** Links the host into node_modules as `npm install` would, but at once and without a network. */
async function linkHost(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await symlink(root, join(modules, 'tollgate'), 'junction')
  await symlink('../tollgate/core/cli/tollgate.js', join(modules, '.bin/tollgate'))
}
