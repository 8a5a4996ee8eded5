import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ownExports, sharedSpecifiers } from '../build/console-sdk.ts'
import { watchUnsaved } from '../stores/unsaved.ts'
import { useRegistry } from './registry.ts'

const folder = join(import.meta.dirname, '..')

function serve(rows: { id: string; module: string | null }[]) {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: rows }))
}

afterEach(() => vi.unstubAllGlobals())

describe('the plugins that are on', () => {
  it('shows the screens of those the server names and of no other', async () => {
    serve([{ id: 'home', module: null }])
    await useRegistry.getState().load()
    const { screens } = useRegistry.getState()
    expect(new Set(screens.map(({ owner }) => owner))).toEqual(new Set(['home']))
    expect(screens.map(({ path }) => path)).toContain('/')
  })

  it('adds an external module with its texts, and blames one that cannot be loaded by name', async () => {
    const source = `export default {
      screens: [{ path: '/hello', title: 'title', load: async () => ({ default: () => null }) }],
      texts: { en: { title: 'Hello' }, zh: { title: '你好' } },
    }`
    serve([
      { id: 'hello', module: `data:text/javascript,${encodeURIComponent(source)}` },
      { id: 'broken', module: 'data:text/javascript,throw new Error("no")' },
    ])
    await useRegistry.getState().load()
    const { screens, failures } = useRegistry.getState()
    expect(screens.map(({ path, owner }) => `${owner} ${path}`)).toEqual(['hello /hello'])
    expect(failures).toEqual({ broken: 'no' })
  })
})

describe('another version of an external module', () => {
  const pathsWith = async (version: number) => {
    const source = `export default {
      screens: [{ path: '/v${version}', title: 'title', load: async () => ({ default: () => null }) }],
    }`
    serve([{ id: 'notes', module: `data:text/javascript,${encodeURIComponent(source)}` }])
    await useRegistry.getState().load()
    return useRegistry.getState().screens.map(({ path }) => path)
  }

  it('waits while something is unsaved, and takes its place after that', async () => {
    expect(await pathsWith(1)).toEqual(['/v1'])
    const forget = watchUnsaved({ current: true })
    expect(await pathsWith(2)).toEqual(['/v1'])
    forget()
    expect(await pathsWith(2)).toEqual(['/v2'])
  })

  it('does not wait where the plugin had been off', async () => {
    expect(await pathsWith(3)).toEqual(['/v3'])
    const forget = watchUnsaved({ current: true })
    serve([])
    await useRegistry.getState().load()
    expect(await pathsWith(4)).toEqual(['/v4'])
    forget()
  })
})

describe('what screens loaded at run time share', () => {
  it('is named alike in the import map and on the page', () => {
    const source = readFileSync(join(folder, 'registry/shared-modules.ts'), 'utf8')
    for (const specifier of sharedSpecifiers) expect(source).toContain(`'${specifier}'`)
  })

  it('holds of the router what screens use, and nothing that would make the first page larger', () => {
    const names = ownExports(join(folder, 'registry/shared-router.ts'))
    expect(names).toEqual(expect.arrayContaining(['Link', 'useNavigate', 'useSearchParams']))
    expect(
      names.filter((name) => /server|static|cookie|session|unsafe|unstable/i.test(name)),
    ).toEqual([])
  })

  it('holds the kit by name', () => {
    expect(ownExports(join(folder, 'index.ts'))).toEqual(
      expect.arrayContaining(['Page', 'DataTable', 'useList', 'api']),
    )
  })
})
