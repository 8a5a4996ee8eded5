// Builds the console when its sources changed since the last build; run before start, demo and test.
import { fileURLToPath } from 'node:url'
import { digestOfSources, stampOf } from './build/source-stamp.ts'

// The caller, such as a test runner, may have set another environment.
process.env['NODE_ENV'] = 'production'

const root = fileURLToPath(new URL('..', import.meta.url))

if (stampOf(root) !== digestOfSources(root)) {
  const { build } = await import('vite')
  console.log('Building the console …')
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
}
