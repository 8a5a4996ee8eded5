import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPluginApp, type PluginApp } from '#test'
import { defineOptions, definePlugin, Type } from '../../index.ts'

const plugin = definePlugin({
  id: 'map-sample',
  options: defineOptions({
    SampleMap: Type.Record(Type.String(), Type.Number({ minimum: 0 }), { default: {} }),
  }),
})

const mapOf = (size: number, value: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, at) => [`m-${at}`, value])))

/** How often a text is taken apart meanwhile. */
async function readingsOf(text: string, work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    await work()
    return parse.mock.calls.filter(([parsed]) => parsed === text).length
  } finally {
    parse.mockRestore()
  }
}

describe('an option of thousands of entries', () => {
  let app: PluginApp
  beforeAll(async () => {
    app = await createPluginApp({ plugins: [plugin] })
  })
  afterAll(() => app.close())

  it('is taken apart once when it is saved, and what it replaces not at all', async () => {
    const [before, after] = [mapOf(2_000, 1), mapOf(2_000, 2)]
    await app.options.setMany({ SampleMap: before })
    const save = async () => {
      await app.options.setMany({ SampleMap: after })
      expect(app.options.get<Record<string, number>>('SampleMap')['m-1999']).toBe(2)
    }
    expect(await readingsOf(after, save)).toBe(1)
    const back = () => app.options.setMany({ SampleMap: before })
    expect(await readingsOf(after, back)).toBe(0)
  })

  it('says which entry is wrong, each time, and stays as it was', async () => {
    const wrong = mapOf(2_000, 3).replace('"m-77":3', '"m-77":-3')
    for (let time = 0; time < 2; time += 1)
      await expect(app.options.setMany({ SampleMap: wrong })).rejects.toThrow(/m-77/)
    expect(app.options.get<Record<string, number>>('SampleMap')['m-77']).toBe(1)
  })
})
