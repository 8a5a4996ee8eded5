// node console/build/build-part.ts DIR: builds the console part of an external plugin, `console/index.tsx`, into browser modules:
// `dist/console.js` and the chunks of its screens. Modules that the console shares by its import map are not bundled.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { sharedSpecifiers } from './console-sdk.ts'
import { oldestBrowsers } from './oldest-browsers.ts'

// The caller, such as a test runner, may have set another environment.
process.env['NODE_ENV'] = 'production'

const sources = ['index.tsx', 'index.ts']

/** @throws Error with file and line of what cannot be compiled, or a sentence about what is missing */
async function buildPart(folder: string): Promise<string> {
  const entry = sources
    .map((name) => join(folder, 'console', name))
    .find((file) => existsSync(file))
  if (entry === undefined)
    throw new Error(
      `${folder} has no console/index.tsx: a part in plain JavaScript is used as it is, nothing is built`,
    )
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    plugins: [sheetsInside()],
    oxc: { jsx: { runtime: 'automatic', development: false } },
    // Packages for React read `process.env`, which browsers do not have.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: oldestBrowsers,
      outDir: join(folder, 'dist'),
      emptyOutDir: true,
      copyPublicDir: false,
      minify: true,
      lib: { entry, formats: ['es'], fileName: () => 'console.js' },
      rolldownOptions: {
        external: [...sharedSpecifiers],
        output: { chunkFileNames: 'chunk-[hash].js' },
      },
    },
  })
  return join(folder, 'dist', 'console.js')
}

/** Adds a style sheet to the module that imports it, because nothing else would load it. */
function sheetsInside(): Plugin {
  // Vite would write a module whose name ends in .css (or has .css before a question mark) into a file that nobody loads.
  const mark = '\0sheet:'
  return {
    name: 'sheets-inside',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith('.css')) return undefined
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found ? `${mark}${found.id}.js` : undefined
    },
    load(id) {
      if (!id.startsWith(mark)) return undefined
      const text = readFileSync(id.slice(mark.length, -'.js'.length), 'utf8')
      // The test kit for authors loads the part where there is no document.
      return `globalThis.document?.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(text)} }))`
    },
  }
}

const [folder = '.'] = process.argv.slice(2)
buildPart(resolve(process.env['INIT_CWD'] ?? '.', folder)).then(
  (file) => void process.stdout.write(`${file}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
