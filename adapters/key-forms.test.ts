// What an adapter says of a key or a field of the wrong form is read by the admin who tests the channel, in the language of the console.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Adapter, ChannelFault, type ChannelView } from '#core'

const folder = fileURLToPath(new URL('.', import.meta.url))
const unsound = { baseUrl: '', key: '||', other: '', setting: {} } as ChannelView
const faults = new Map<string, ChannelFault>()

for (const file of globSync('*/index.ts', { cwd: folder })) {
  const { default: adapter } = (await import(join(folder, file))) as { default: Adapter }
  try {
    adapter.checkChannel?.(unsound)
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error
    faults.set(adapter.id, error)
  }
}

describe('a key or field of the wrong form', () => {
  it('is refused by those that know its form', () => {
    expect(faults.size).toBeGreaterThan(6)
  })

  it.each([...faults])('is explained by %s in both languages', (_id, { text }) => {
    expect(text.en).toMatch(/^[A-Z][ -~]+\.$/)
    expect(text.zh).toMatch(/\p{Script=Han}.*。$/u)
  })
})
