import { afterEach, expect, it, vi } from 'vitest'
import { loadScript } from './load-script.ts'

const address = 'https://scripts.example/a.js'

afterEach(() => vi.restoreAllMocks())

it('asks for a script once, and anew when it did not come', async () => {
  const asked: HTMLScriptElement[] = []
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    asked.push(script as HTMLScriptElement)
  })
  const lost = loadScript(address)
  asked[0]?.dispatchEvent(new Event('error'))
  await expect(lost).rejects.toThrow(address)

  const first = loadScript(address)
  const second = loadScript(address)
  asked[1]?.dispatchEvent(new Event('load'))
  await Promise.all([first, second])
  expect(asked.map(({ src }) => src)).toEqual([address, address])
})
