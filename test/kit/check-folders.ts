// What must hold of plugins and adapters in the folders that somebody names, check by check.
import { existsSync, globSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

const manifests = ['index.ts', 'index.js', 'index.mjs']

/** A folder of a plugin, or of several. */
function foldersIn(directory: string): string[] {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', directory)
  if (manifests.some((name) => existsSync(join(folder, name)))) return [folder]
  const found = globSync(`*/{${manifests.join(',')}}`, { cwd: folder })
  return found.map((file) => join(folder, dirname(file)))
}

/** @returns the exit code */
export async function checkFolders(
  given: readonly string[],
  print: (line: string) => void,
): Promise<number> {
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
  // Not before there is something to check: it loads the whole gateway.
  const { outcomesOf } = await import('./conformance/index.ts')
  const folders = named.flatMap(foldersIn)
  let failed = 0
  for (const folder of folders) {
    print(folder)
    for (const { name, problem } of await outcomesOf(folder)) {
      if (problem === '') print(`  ✓ ${name}`)
      else {
        failed += 1
        print(`  ✗ ${name}\n      ${problem.replaceAll('\n', '\n      ')}`)
      }
    }
  }
  print(failed === 0 ? 'All of it holds.' : `${failed} do not hold.`)
  return failed === 0 ? 0 : 1
}
