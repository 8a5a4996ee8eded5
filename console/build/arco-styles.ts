// Arco's styles by component: importing a component also imports its style sheet. They are in a cascade layer below
// all of our own, so that the order in which chunks load does not matter.
import type { Plugin } from 'vite'
import { isOwnSource } from './own-sources.ts'

const arco = '@arco-design/web-react'
const named = /^import\s*\{([^}]*)\}\s*from\s*'@arco-design\/web-react'/gm
const arcoSheet = /\/@arco-design\/web-react\/es\/(.+)\.css$/

/** Exports that are not components with a style sheet. */
const withoutSheet = new Set(['ConfigProvider'])

export function arcoStyles(): Plugin {
  return {
    name: 'arco-styles',
    enforce: 'pre',
    // Tests render without styles.
    apply: (_config, { mode }) => mode !== 'test',
    transform(code, id) {
      const [path = id] = id.split('?')
      const sheet = arcoSheet.exec(path)?.[1]
      if (sheet !== undefined) {
        // Arco's rules for plain elements are below ours, those for its classes above.
        const layer = sheet === 'style/index' ? 'arco-base' : 'arco'
        return { code: `@layer ${layer} {\n${code}\n}`, map: null }
      }
      if (!isOwnSource(path)) return undefined
      const sheets = [...code.matchAll(named)].flatMap(([, names = '']) => componentsIn(names))
      if (sheets.length === 0) return undefined
      const imports = sheets.map((name) => `import '${arco}/es/${name}/style/css.js'`)
      // On the first line, to keep the line numbers of the source.
      return { code: `${imports.join(';')};${code}`, map: null }
    },
  }
}

function componentsIn(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((name) => /^[A-Z]/.test(name) && !name.endsWith('Props') && !withoutSheet.has(name))
}
