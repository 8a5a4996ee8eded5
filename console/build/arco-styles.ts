// Arco's styles, component by component: who imports a component brings its sheet. They stand in a cascade layer below
// everything of ours, so that it does not matter which chunk brings which sheet when.
import type { Plugin } from 'vite'

const arco = '@arco-design/web-react'
const named = /^import\s*\{([^}]*)\}\s*from\s*'@arco-design\/web-react'/gm
const ownSources = /\/(?:console|plugins\/[^/]+\/console)\/.*\.tsx?$/
const arcoSheet = /\/@arco-design\/web-react\/es\/(.+)\.css$/

/** Exports that are no component with a sheet of its own. */
const withoutSheet = new Set(['ConfigProvider'])

export function arcoStyles(): Plugin {
  return {
    name: 'arco-styles',
    enforce: 'pre',
    // Tests draw without styles.
    apply: (_config, { mode }) => mode !== 'test',
    transform(code, id) {
      const [path = id] = id.split('?')
      const sheet = arcoSheet.exec(path)?.[1]
      if (sheet !== undefined) {
        // Its rules for bare elements stand below ours, those for its classes above.
        const layer = sheet === 'style/index' ? 'arco-base' : 'arco'
        return { code: `@layer ${layer} {\n${code}\n}`, map: null }
      }
      if (path.includes('node_modules') || !ownSources.test(path)) return undefined
      const sheets = [...code.matchAll(named)].flatMap(([, names = '']) => componentsIn(names))
      if (sheets.length === 0) return undefined
      const imports = sheets.map((name) => `import '${arco}/es/${name}/style/css.js'`)
      // On the first line, so that the lines of the source keep their numbers.
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
