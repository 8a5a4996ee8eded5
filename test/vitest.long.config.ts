import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    environment: 'node',
    pool: 'forks',
    include: ['{core,test}/**/*.long.test.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    // As long as a control of a page may take to come: a second is over sooner on a machine that has other work.
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
})
