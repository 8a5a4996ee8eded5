import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '../../test/harness/plugin-app.ts'
import home from './index.ts'

let app: PluginApp

beforeAll(async () => {
  app = await createPluginApp({ plugins: [home] })
})

afterAll(() => app.close())

describe('the pages of the operator', () => {
  it.each(['/api/notice', '/api/about', '/api/home_page_content'])(
    'are empty text for everybody until written: %s',
    async (path) => {
      expect((await app.client().call('GET', path)).data).toBe('')
    },
  )

  it('are what was written', async () => {
    await app.options.set('About', '# Who we are')
    expect((await app.client().call('GET', '/api/about')).data).toBe('# Who we are')
  })
})
