// The plugins of docs/examples pass their own tests where they lie.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const examples = join(repository, 'docs/examples')
const folders = globSync('*/*.test.ts', { cwd: examples })
  .map((file) => dirname(file))
  .sort()

function run(words: readonly string[], folder: string): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: join(examples, folder), env: { PATH, HOME } }
  return new Promise((resolve) => {
    execFile(process.execPath, [...words], options, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: output + errors }),
    )
  })
}

beforeAll(async () => {
  const parts = globSync('*/console/index.tsx', { cwd: examples })
  for (const part of parts) {
    const built = await run(
      [join(repository, 'core/cli/tollgate.js'), 'plugin', 'build', '.'],
      dirname(dirname(part)),
    )
    expect(built).toMatchObject({ code: 0 })
  }
})

it.each(folders)('%s', { timeout: 180_000 }, async (folder) => {
  expect(await run(['--test'], folder)).toMatchObject({ code: 0 })
})

it('are all there', () => expect(folders).toEqual(['parrot', 'tilla', 'veil']))
