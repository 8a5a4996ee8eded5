import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../main.ts'
import { makeReferences } from './docs.ts'

describe('the generated reference pages', async () => {
  const pages = await makeReferences()

  it.each([...pages.keys()])('docs/%s says what the code says', async (name) => {
    expect(await readFile(join(root, 'docs', name), 'utf8'), 'run npm run docs').toBe(
      pages.get(name),
    )
  })
})
