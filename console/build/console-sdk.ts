// The import map through which plugin screens loaded at run time share the console's own modules.
// Each shared specifier leads to a shim that re-exports, by name, what registry/shared-modules.ts put on one global.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSync, type Plugin } from 'vite'

/** Must list exactly the keys of registry/shared-modules.ts; a test compares the two. */
export const sharedSpecifiers = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-router-dom',
  'zustand',
  '@arco-design/web-react',
  '@arco-design/web-react/icon',
  'tollgate/console',
] as const

export function consoleSdk(folder: string): Plugin {
  const shims = new Map<string, string>()
  const readShims = () => {
    for (const specifier of sharedSpecifiers) {
      shims.set(fileOf(specifier), shim(specifier, namesOf(specifier, folder)))
    }
  }
  return {
    name: 'console-sdk',
    buildStart: readShims,
    generateBundle() {
      for (const [fileName, source] of shims) this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { type: 'importmap' },
        injectTo: 'head-prepend',
        children: JSON.stringify({
          imports: Object.fromEntries(sharedSpecifiers.map((name) => [name, `/${fileOf(name)}`])),
        }),
      },
    ],
    configureServer(server) {
      readShims()
      server.middlewares.use((request, response, next) => {
        const source = shims.get((request.url ?? '').slice(1).replace(/\?.*$/, ''))
        if (source === undefined) return next()
        response.setHeader('content-type', 'text/javascript')
        response.end(source)
      })
    },
  }
}

function fileOf(specifier: string): string {
  return `sdk/${specifier.replaceAll('@', '').replaceAll('/', '__')}.js`
}

function shim(specifier: string, names: string[]): string {
  return `const shared = globalThis.tollgateShared[${JSON.stringify(specifier)}]
export default shared.default ?? shared
export const { ${names.join(', ')} } = shared
`
}

function namesOf(specifier: string, folder: string): string[] {
  if (specifier === 'tollgate/console') return ownExports(join(folder, 'index.ts'))
  if (specifier === 'react-router-dom') return ownExports(join(folder, 'registry/shared-router.ts'))
  const loaded = createRequire(import.meta.url)(specifier) as object
  return Object.keys(loaded).filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
}

/** The value exports of a module, read from its syntax, because modules of the console cannot run in Node. */
export function ownExports(path: string): string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'))
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') return []
    return statement.specifiers
      .filter((entry) => entry.exportKind !== 'type')
      .map((entry) => ('name' in entry.exported ? entry.exported.name : entry.exported.value))
  })
}
