// What the commands for authors make, outside the repository. That it passes its own tests, guides.test.ts and new-folder.long.test.ts show.
import { existsSync, readFileSync } from 'node:fs'
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

  it('is built before its tests and before it is packed, and packs no earlier package', async () => {
    await author.tollgate('plugin', 'new', 'my-shelf', '--kind', 'list')
    const read = (file: string) => readFileSync(join(author.path, 'my-shelf', file), 'utf8')
    const build = 'tollgate plugin build .'
    expect(JSON.parse(read('package.json'))).toMatchObject({
      scripts: { build, pretest: build, prepack: build },
    })
    expect(read('.gitignore')).toContain('*.tgz')
  })
})
