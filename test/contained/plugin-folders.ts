// Bad plugins as folders, made by the test that loads them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface PluginFolder {
  /** The folder's name. */
  id: string
  /** Path in the folder to source. */
  files: Readonly<Record<string, string>>
}

/** One whose manifest goes on with `rest`; `before` stands above it. */
export function plugin(id: string, rest: string, before = ''): PluginFolder {
  const source = `import { defineOptions, definePlugin, envelope, Type } from 'tollgate'
${before}
export default definePlugin({ id: '${id}', contract: '^1.3', ${rest} })
`
  return { id, files: { 'index.ts': source } }
}

/** One whose \`server\` does this. */
export function serving(id: string, body: string, before = ''): PluginFolder {
  return plugin(id, `async server(services) { ${body} }`, before)
}

/** One that adds these routes. */
export function routing(id: string, body: string): PluginFolder {
  return serving(id, `services.routes.add(async (app) => { ${body} })`)
}

/** A module that is no plugin at all, or not at once. */
export function module(id: string, source: string): PluginFolder {
  return { id, files: { 'index.ts': source } }
}

export interface MadeFolders {
  path: string
  write(folder: PluginFolder): Promise<void>
  remove(): Promise<void>
}

export async function makeFolders(folders: readonly PluginFolder[]): Promise<MadeFolders> {
  const path = await mkdtemp(join(tmpdir(), 'tollgate-bad-'))
  const write = async ({ id, files }: PluginFolder) => {
    for (const [name, source] of Object.entries(files)) {
      const file = join(path, id, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, source)
    }
  }
  for (const folder of folders) await write(folder)
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) }
}
