// Replaces named imports from a file that only re-exports by imports from the declaring file. Otherwise each module would depend on all of
// the console and all of Arco, and no group of modules could be cut out (chunk-groups.ts).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseSync, type Plugin } from 'vite'
import { isOwnSource } from './own-sources.ts'

interface Origin {
  path: string
  name: string
}

type Barrel = ReadonlyMap<string, Origin>

export function directImports(folder: string): Plugin {
  const arco = dirname(
    createRequire(import.meta.url).resolve('@arco-design/web-react/package.json'),
  )
  let barrels: ReadonlyMap<string, Barrel> = new Map()
  return {
    name: 'direct-imports',
    enforce: 'pre',
    apply: 'build',
    buildStart() {
      barrels = new Map([
        ['#console', originsIn(join(folder, 'index.ts'))],
        ['@arco-design/web-react', originsIn(join(arco, 'es/index.js'))],
        ['@arco-design/web-react/icon', originsIn(join(arco, 'icon/index.es.js'))],
      ])
    },
    transform(code, id) {
      const [path = id] = id.split('?')
      if (!isOwnSource(path)) return undefined
      const direct = directly(path, code, barrels)
      return direct === code ? undefined : { code: direct, map: null }
    },
  }
}

/** Each name that the file re-exports, with the module that declares it. */
function originsIn(barrel: string): Barrel {
  const { program } = parseSync(barrel, readFileSync(barrel, 'utf8'))
  const origins = new Map<string, Origin>()
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source) continue
    for (const { exported, local } of statement.specifiers) {
      const path = join(dirname(barrel), statement.source.value)
      origins.set(nameOf(exported), { path, name: nameOf(local) })
    }
  }
  return origins
}

function directly(path: string, code: string, barrels: ReadonlyMap<string, Barrel>): string {
  if (![...barrels.keys()].some((name) => code.includes(`'${name}'`))) return code
  let direct = code
  // From the end, so that earlier offsets stay valid.
  for (const statement of parseSync(path, code).program.body.toReversed()) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    const barrel = barrels.get(statement.source.value)
    if (!barrel || statement.specifiers.some(({ type }) => type !== 'ImportSpecifier')) continue
    const { start, end } = statement
    const imports = statement.specifiers.flatMap((entry) =>
      entry.type === 'ImportSpecifier' && entry.importKind !== 'type'
        ? [importOf(nameOf(entry.imported), entry.local.name, barrel, statement.source.value)]
        : [],
    )
    // Keeps the line numbers of the source.
    const lines = code.slice(start, end).replaceAll(/[^\n]/g, '')
    direct = direct.slice(0, start) + imports.join(';') + lines + direct.slice(end)
  }
  return direct
}

function importOf(name: string, local: string, barrel: Barrel, source: string): string {
  const origin = barrel.get(name) ?? { path: source, name }
  return `import { ${origin.name} as ${local} } from ${JSON.stringify(origin.path)}`
}

function nameOf(node: { name: string } | { value: string }): string {
  return 'name' in node ? node.name : node.value
}
