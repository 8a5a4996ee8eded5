// tollgate conformance DIR…: what must hold of plugins and adapters, check by check.
import { existsSync, globSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { outcomesOf } from './conformance/index.ts'

const manifests = ['index.ts', 'index.js', 'index.mjs']

/** A folder of a plugin, or of several. */
function foldersIn(directory: string): string[] {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', directory)
  if (manifests.some((name) => existsSync(join(folder, name)))) return [folder]
  const found = globSync(`*/{${manifests.join(',')}}`, { cwd: folder })
  return found.map((file) => join(folder, dirname(file)))
}

async function main(): Promise<number> {
  const given = process.argv.slice(2)
  const directories = given.length > 0 ? given : (process.env['PLUGIN_DIRS'] ?? '').split(delimiter)
  const named = directories.filter((name) => name.trim() !== '')
  if (named.length === 0) {
    console.error('Usage: tollgate conformance DIR…, or PLUGIN_DIRS with folders of plugins')
    return 2
  }
  // One that is misspelt must not pass because there is nothing to check.
  const empty = named.filter((name) => foldersIn(name).length === 0)
  if (empty.length > 0) {
    console.error(`There is no plugin in ${empty.join(', ')}: no ${manifests.join(', ')}.`)
    return 2
  }
  const folders = named.flatMap(foldersIn)
  let failed = 0
  for (const folder of folders) {
    console.log(folder)
    for (const { name, problem } of await outcomesOf(folder)) {
      if (problem === '') console.log(`  ✓ ${name}`)
      else {
        failed += 1
        console.log(`  ✗ ${name}\n      ${problem.replaceAll('\n', '\n      ')}`)
      }
    }
  }
  console.log(failed === 0 ? 'All of it holds.' : `${failed} do not hold.`)
  return failed === 0 ? 0 : 1
}

// What a plugin left behind must not keep the command from its end.
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
