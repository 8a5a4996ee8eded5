import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '#core'

const folder = new URL('./', import.meta.url)
const FIRST_OWN_NUMBER = 1000

async function ownTypes(): Promise<string[]> {
  const rows: { type: number; row: string }[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const module = (await import(new URL(`${entry.name}/index.ts`, folder).href)) as {
      default: Adapter
    }
    for (const [type, info] of Object.entries(module.default.channelTypes)) {
      const name = typeof info === 'string' ? info : info.name
      if (Number(type) >= FIRST_OWN_NUMBER)
        rows.push({ type: Number(type), row: `| ${type} | \`${entry.name}\` | ${name} |` })
    }
  }
  return rows.sort((a, b) => a.type - b.type).map(({ row }) => row)
}

describe('the numbers of our own channel types', () => {
  it('stand in the README as the manifests have them', async () => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8')
    const listed = readme.split('\n').filter((line) => /^\| 1\d{3} \|/.test(line))
    expect(listed).toEqual(await ownTypes())
  })
})
