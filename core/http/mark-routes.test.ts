import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, ApiClient, startApp } from '#test'
import { checkManifest } from '../kernel/manifest/manifest.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ isWithin: true })
})
afterAll(() => app.close())

interface Table {
  makers: { name: string; mark?: string; models: string[] }[]
  marks: Record<string, string>
  providers: Record<string, { name: string; mark: string }>
}

const manifest = {
  kind: 'adapter',
  id: 'own',
  channelTypes: { 900: 'Own' },
  baseUrl: '',
  models: [],
  operations: {},
  summary: 'Own.',
}

describe('the marks of providers and makers', () => {
  it('tell an admin which provider a channel type is', async () => {
    const data = await app.root.get<Table>('/api/mark/')
    expect(data.providers['1']).toEqual({ name: 'OpenAI', mark: 'openai' })
    expect(data.marks).toMatchObject({ openai: 'mono', qwen: 'color', siliconcloud: 'color' })
    // Its colour would vanish on a dark ground.
    expect(data.marks['voyage']).toBe('mono')
  })

  it('tell others only who makes models', async () => {
    const customer = await addCustomer(app.root, 'reader', 0)
    for (const caller of [customer.client, new ApiClient(app.url)]) {
      const data = await caller.get<Table>('/api/mark/')
      expect(data.providers).toEqual({})
      expect(data.marks).not.toHaveProperty('siliconcloud')
      expect(data.makers.find(({ name }) => name === 'Meta')?.models).toContain('llama')
    }
  })

  it('are drawings that every maker and provider with a mark has', async () => {
    const data = await app.root.get<Table>('/api/mark/')
    const named = [...data.makers, ...Object.values(data.providers)].flatMap(
      ({ mark }) => mark || [],
    )
    expect(named.filter((mark) => !(mark in data.marks))).toEqual([])
    const answer = await fetch(`${app.url}/marks/openai.svg`)
    expect(answer.headers.get('content-type')).toContain('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.text()).toContain('<svg')
  })

  it.each(['unknown.svg', '..%2F..%2Fpackage.json', 'constructor.svg'])(
    'has no %s',
    async (file) => {
      expect(await (await fetch(`${app.url}/marks/${file}`)).text()).not.toContain('"name"')
    },
  )
})

describe("an adapter's mark", () => {
  it.each(['openai', '<svg xmlns="http://www.w3.org/2000/svg"/>'])('may be %s', (mark) => {
    expect(checkManifest({ ...manifest, mark }, 'own')).toBeTruthy()
  })

  it.each([
    [{ mark: '../../secret' }, 'mark'],
    [{ mark: '<script>' }, 'mark'],
    [{ makes: ['Upper'] }, 'makes'],
    [{ picker: { section: 'best' } }, 'picker.section'],
    [{ picker: { colour: 'red' } }, 'picker.colour'],
  ])('is refused as %j', (wrong, key) => {
    expect(() => checkManifest({ ...manifest, ...wrong }, 'own')).toThrow(`"${key}"`)
  })
})
