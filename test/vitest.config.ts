import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { keepFilesInMemory } from './harness/run/memory-folder.ts'

keepFilesInMemory()

/** On two cores: much of the time a test waits, for a process to start or a page to settle. */
const maxWorkers = 3

/** Of both: a machine that has other work takes its time, a minute and more for one start of a gateway. */
const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // As long as a control of a page may take to come.
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          pool: 'forks',
          // A worker loads the gateway once and not for every file, which took a third of all the time: a file leaves nothing behind.
          isolate: false,
          // By Node itself, as the gateway runs: Vite's own runner, whose mocks nobody uses, takes a tenth more processor time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // A test's objects die together: collected more often, they take a tenth more processor time.
          execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'],
          maxWorkers,
          restoreMocks: true,
          include: ['{core,adapters,plugins,config,test}/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', 'node_modules'],
          setupFiles: ['./test/server-setup.ts'],
          ...patience,
        },
      },
      {
        extends: './console/vite.config.ts',
        root: fileURLToPath(new URL('..', import.meta.url)),
        test: {
          name: 'console',
          environment: 'happy-dom',
          isolate: false,
          maxWorkers,
          restoreMocks: true,
          include: ['{console,plugins}/**/*.test.tsx'],
          setupFiles: ['./test/console-setup.ts'],
          ...patience,
        },
      },
    ],
  },
})
