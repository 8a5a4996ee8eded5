// Builds the console when its sources changed since the last build; run before start, demo and test.
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { digestOfSources, stampOf } from './build/source-stamp.ts'

// The caller, such as a test runner, may have set another environment.
process.env['NODE_ENV'] = 'production'

const longestBuildMs = 600_000
const root = fileURLToPath(new URL('..', import.meta.url))
const isBuilt = () => stampOf(root) === digestOfSources(root)

if (!isBuilt()) {
  // Of processes that start together one builds, in a folder that it empties first, and the others wait for it.
  const lock = new DatabaseSync(fileURLToPath(new URL('.building', import.meta.url)), {
    timeout: longestBuildMs,
  })
  lock.exec('BEGIN EXCLUSIVE')
  if (!isBuilt()) {
    const { build } = await import('vite')
    console.log('Building the console …')
    await build({
      configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
      logLevel: 'warn',
    })
  }
  lock.close()
}
