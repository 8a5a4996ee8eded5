import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { arcoStyles } from './build/arco-styles.ts'
import { chunkGroups } from './build/chunk-groups.ts'
import { consoleSdk } from './build/console-sdk.ts'
import { directImports } from './build/direct-imports.ts'
import { oldestBrowsers } from './build/oldest-browsers.ts'
import { precompress } from './build/precompress.ts'
import { sourceStamp } from './build/source-stamp.ts'
import { titles } from './build/titles.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root: folder,
  plugins: [
    arcoStyles(),
    directImports(folder),
    react(),
    titles(fileURLToPath(new URL('..', import.meta.url))),
    consoleSdk(folder),
    precompress(folder),
    sourceStamp(folder),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: oldestBrowsers,
    // The charts, and Arco as a whole for plugins from outside, are larger than Vite's default warning on purpose.
    chunkSizeWarningLimit: 1300,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups } },
      treeshake: {
        // What is only re-exported by #console is not carried along: a module acts when something of it is used. Sheets act.
        moduleSideEffects: [
          { test: /\.(?:tsx?|json)$/, external: false, sideEffects: false },
          { test: /\/console\/main\.tsx$/, sideEffects: true },
        ],
      },
    },
  },
  server: {
    // `npm run dev:console` beside a gateway on its usual port.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/pg', '/mj', '/suno', '/plugin-assets', '/marks'].map((path) => [
        path,
        'http://127.0.0.1:3000',
      ]),
    ),
  },
})
