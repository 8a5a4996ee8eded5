import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    environment: 'node',
    pool: 'forks',
    include: ['{core,test}/**/*.long.test.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
