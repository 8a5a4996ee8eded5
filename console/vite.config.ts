import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { consoleSdk } from './build/console-sdk.ts'
import { precompress } from './build/precompress.ts'
import { sourceStamp } from './build/source-stamp.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root: folder,
  plugins: [react(), consoleSdk(folder), precompress(folder), sourceStamp(folder)],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Arco is one design system in one chunk: larger than Vite's default warning on purpose.
    chunkSizeWarningLimit: 1200,
  },
  server: {
    // `npm run dev:console` beside a gateway on its usual port.
    proxy: Object.fromEntries(
      ['/api', '/v1', '/pg', '/mj', '/suno', '/plugin-assets'].map((path) => [
        path,
        'http://127.0.0.1:3000',
      ]),
    ),
  },
})
