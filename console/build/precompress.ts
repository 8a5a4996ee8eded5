// Writes compressed copies beside the built files, so that the server only has to choose one.
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** For smaller files, compression saves less than its headers cost. */
const smallestBytes = 1024
/** Images and fonts are already compressed. */
const textual = /\.(?:js|css|svg|json|html|map)$/

export function precompress(folder: string): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: {
      // Runs before the stamp is written, which marks the build as complete.
      sequential: true,
      order: 'pre',
      async handler({ dir = join(folder, 'dist') }) {
        // Also what was copied from console/public.
        const files = await readdir(dir, { recursive: true })
        const written = files.filter((name) => textual.test(name))
        await Promise.all(written.map((name) => writeCopies(join(dir, name))))
      },
    },
  }
}

async function writeCopies(path: string): Promise<void> {
  if (!existsSync(path)) return
  const bytes = await readFile(path)
  if (bytes.length < smallestBytes) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
