import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../app/root.ts'
import { makeReferences } from './docs.ts'

describe('the generated reference pages', async () => {
  const pages = await makeReferences()

  it.each([...pages.keys()])('docs/%s says what the code says', async (name) => {
    expect(await readFile(join(root, 'docs', name), 'utf8'), 'run npm run docs').toBe(
      pages.get(name),
    )
  })

  it('tell how many models of a type have a price, and the next number that is free', () => {
    const text = pages.get('channel-types.md') ?? ''
    const rows = [...text.matchAll(/^\| (\d+) \|.*$/gm)].map(([row]) => row.split(' | '))
    const last = Math.max(...rows.map(([type]) => Number(type?.slice(2))))
    expect(text).toContain(`the next free number is ${last + 1}.`)
    expect(rows.filter((row) => row[2] === '`ollama`')).toMatchObject([{ 5: '22', 6: '0' }])
    for (const row of rows) expect(Number(row[6])).toBeLessThanOrEqual(Number(row[5]))
  })
})
