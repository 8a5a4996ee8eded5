// The pages of docs/guides: whatever code stands there is run. Here one of them; all are in guides.long.test.ts.
import { describe, expect, it } from 'vitest'
import { GuideRun, snippetsOf, unexecuted } from './guide.ts'
import { guides, index } from './guides.ts'

describe.each(guides)('the guide $name', ({ name, snippets }) => {
  it('holds nothing that is not run, and a test of its own that is', () => {
    expect(unexecuted(snippets)).toEqual([])
    expect(snippets.map(({ info }) => info)).toContainEqual(expect.stringMatching(/\.test\.ts$/))
    const commands = snippets.filter(({ language }) => language === 'sh').map(({ text }) => text)
    expect(commands.join('')).toContain('npm test')
  })

  it('stands in the index', () => expect(index).toContain(`(${name}.md)`))
})

describe('a page', () => {
  const page = (info: string) => snippetsOf(`words\n\n\`\`\`${info}\ncode\n\`\`\`\n`)

  it.each(['ts', 'tsx', 'ts a thing', 'yaml', '', 'sh quietly'])(
    'with a fence "%s" is refused',
    (info) => expect(unexecuted(page(info))).toHaveLength(1),
  )

  it.each(['ts index.ts', 'sh', 'sh serves', 'json cases/a.json', 'text'])(
    'may have a fence "%s"',
    (info) => expect(unexecuted(page(info))).toEqual([]),
  )
})

it('a guide can be followed: a provider', async () => {
  const run = new GuideRun()
  const guide = guides.find(({ name }) => name === 'provider')
  try {
    for (const snippet of guide?.snippets ?? []) await run.run(snippet)
  } finally {
    run.close()
  }
  expect(guide?.snippets.length).toBeGreaterThan(2)
})
