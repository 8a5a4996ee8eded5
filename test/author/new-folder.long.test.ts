// Each template, outside the repository: it passes its own tests and the types of the contract with strict settings.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { AuthorFolder } from './author-folder.ts'

const author = new AuthorFolder()
afterAll(() => author.close())

const templates = fileURLToPath(new URL('../../docs/templates/', import.meta.url))
const kinds = [
  ...readdirSync(join(templates, 'plugins')).map((kind) => ['plugin', '--kind', kind] as const),
  ...readdirSync(join(templates, 'adapters')).map((kind) => ['adapter', '--format', kind] as const),
]

describe.each(kinds)('%s new %s %s', (what, flag, kind) => {
  const name = `my-${kind}`

  it('makes a folder that passes its own tests', { timeout: 180_000 }, async () => {
    expect(await author.tollgate(what, 'new', name, flag, kind)).toMatchObject({ code: 0 })
    expect(await author.test(name)).toMatchObject({ code: 0 })
  })

  it('and the types, with strict settings', { timeout: 180_000 }, async () => {
    const file = join(author.path, name, 'tsconfig.json')
    const config = JSON.parse(readFileSync(file, 'utf8')) as object
    const compilerOptions = { noImplicitReturns: true, allowUnreachableCode: false }
    writeFileSync(file, JSON.stringify({ ...config, compilerOptions }))
    expect(await author.typecheck(name)).toEqual({ code: 0, output: '' })
  })
})

it('a sheet of a console part is built into it and keeps the contract', {
  timeout: 180_000,
}, async () => {
  await author.tollgate('plugin', 'new', 'my-sheet', '--kind', 'list')
  const file = join(author.path, 'my-sheet/console/index.tsx')
  writeFileSync(file, `import './sheet.css'\n${readFileSync(file, 'utf8')}`)
  author.write('my-sheet', { 'console/sheet.css': '.my-sheet-row { margin: 0 }' })
  expect(await author.test('my-sheet')).toMatchObject({ code: 0 })
  expect(await author.typecheck('my-sheet')).toEqual({ code: 0, output: '' })
})
