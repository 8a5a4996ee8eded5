// What the commands for authors make, outside the repository. That it passes its own tests, guides.test.ts and new-folder.long.test.ts show.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AuthorFolder } from './author-folder.ts'

const author = new AuthorFolder()
afterAll(() => author.close())

describe('a folder for a new plugin', () => {
  it('states version, contract and host', async () => {
    await author.tollgate('plugin', 'new', 'my-guard', '--kind', 'hook')
    const read = (file: string) => readFileSync(join(author.path, 'my-guard', file), 'utf8')
    expect(read('index.ts')).toContain("contract: '^1.3'")
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'tollgate-plugin-my-guard',
      version: '1.0.0',
      devDependencies: { tollgate: expect.stringMatching(/^file:/) },
    })
    expect(read('.gitignore')).toContain('node_modules')
    expect(existsSync(join(author.path, 'my-guard/node_modules/tollgate/core/index.ts'))).toBe(true)
  })

  it('is made without loading the gateway', async () => {
    const refuse = author.write('.', {
      'refuse.mjs': `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.endsWith('/core/main.ts')) throw new Error('loads the gateway')
    return next(url, context)
  },
})`,
    })
    const env = { NODE_OPTIONS: `--import=${join(refuse, 'refuse.mjs')}` }
    expect(await author.tollgateIn(env, 'adapter', 'new', 'my-lean')).toMatchObject({ code: 0 })
    expect(existsSync(join(author.path, 'my-lean/index.ts'))).toBe(true)
  })

  it('is built before its tests and before it is packed, and packs no earlier package', async () => {
    await author.tollgate('plugin', 'new', 'my-shelf', '--kind', 'list')
    const read = (file: string) => readFileSync(join(author.path, 'my-shelf', file), 'utf8')
    const build = 'tollgate plugin build .'
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { build, pretest: build, prepack: build },
    })
    expect(read('.gitignore')).toContain('*.tgz')
  })

  it('brings the sheets that modules of its console part import', async () => {
    const folder = join(author.path, 'my-shelf')
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    for (const [file, sheet] of [
      ['console/index.tsx', 'all.css'],
      ['console/cards-screen.tsx', 'cards.css'],
    ] as const)
      author.write('my-shelf', {
        [file]: `import './${sheet}'\n${read(file)}`,
        [`console/${sheet}`]: `.my-shelf-${sheet.slice(0, -4)} { margin: 0 }\n`,
      })
    expect(await author.tollgate('plugin', 'build', 'my-shelf')).toMatchObject({ code: 0 })
    const built = readdirSync(join(folder, 'dist'))
    expect(built.filter((file) => !file.endsWith('.js'))).toEqual([])
    expect(read('dist/console.js')).toContain('.my-shelf-all { margin: 0 }')
    expect(built.map((file) => read(`dist/${file}`)).join('\n')).toContain('.my-shelf-cards {')
  })
})
