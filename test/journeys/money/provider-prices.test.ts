// An adapter brings the prices of its own models: they come and go with it, and never over what the admin has set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'

let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true })
})
afterAll(() => app.close())

async function ratios(): Promise<Record<string, number>> {
  const rows = await app.root.get<{ key: string; value: string }[]>('/api/option/')
  return JSON.parse(rows.find(({ key }) => key === 'ModelRatio')?.value ?? '') as Record<
    string,
    number
  >
}

describe('the prices of a provider', () => {
  it('come and go with its adapter, and what the admin has set stays', async () => {
    expect(await ratios()).toMatchObject({ 'moonshot-v1-8k': expect.any(Number), 'gpt-4o': 1.25 })
    await app.root.put('/api/plugin/', { id: 'moonshot', enabled: false })
    expect(await ratios()).not.toHaveProperty('moonshot-v1-8k')
    expect(await ratios()).toHaveProperty('gpt-4o', 1.25)
    await app.root.put('/api/plugin/', { id: 'moonshot', enabled: true })
    expect(await ratios()).toHaveProperty('moonshot-v1-8k')
    await app.root.put('/api/option/', { key: 'ModelRatio', value: '{"mine":2}' })
    await app.root.put('/api/plugin/', { id: 'moonshot', enabled: false })
    expect(await ratios()).toEqual({ mine: 2 })
  })
})
