// `tollgate conformance` on folders outside.
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AuthorFolder } from './author-folder.ts'

const author = new AuthorFolder()
afterAll(() => author.close())

describe('the command', () => {
  it('reads PLUGIN_DIRS, and names an adapter without cases', async () => {
    author.write('shop/bare', {
      'index.ts': `import { defineAdapter } from 'tollgate'
import { openaiCompatible } from 'tollgate/adapter-kit'
export default defineAdapter({
  id: 'bare', channelTypes: { 1500: 'Bare' }, baseUrl: 'https://bare.example', models: ['bare-1'],
  prices: { models: { 'other-1': { ratio: 1 } } }, summary: 'Bare.', operations: openaiCompatible(),
})
`,
    })
    const { code, output } = await author.tollgateIn(
      { PLUGIN_DIRS: join(author.path, 'shop') },
      'conformance',
    )
    expect(code).toBe(1)
    expect(output).toContain('channel type 1500 is below 100000')
    expect(output).toMatch(
      /no plain case\s+cases\/ has no streamed case\s+cases\/ has no failing case/,
    )
    expect(output).toContain('prices has "other-1", which is none of its models')
  })

  it('says what it wants when it is given nothing', async () =>
    expect(await author.tollgate('conformance')).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage'),
    }))
})
