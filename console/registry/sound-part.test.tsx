// An invalid entry of an external module is left out, and nothing else.
import { render } from '@testing-library/react'
import { createElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { soundPart } from './sound-part.ts'

const load = async () => ({ default: () => null })
const screen = { path: '/sample', title: 'title', load }
const entry = { id: 'sample', label: 'Sample', group: 'console', order: 1, link: () => '/sample' }
const widget = { id: 'sample', title: 'Sample', order: 1, size: 'small', load }
const context = { user: undefined, status: undefined }
const throwing = () => {
  throw new Error('out of order')
}

function read(exported: unknown) {
  const onFault = vi.fn<(message: string) => void>()
  const own = [
    { path: '/login', title: 'x', load },
    { path: '/user/edit/:id?', title: 'x', load },
  ]
  const part = soundPart(exported, { owner: 'sample', onFault, ownScreens: own })
  const messages = () => onFault.mock.calls.map(([message]) => message).join(' ')
  return { part, messages, faults: messages() }
}

describe('a console module', () => {
  it.each([
    ['nothing', undefined],
    ['a number', 5],
    ['a function', () => ({})],
    ['null', null],
  ])('that exports %s is no console part', (_name, exported) => {
    expect(() => read(exported)).toThrow('no default export that is an object')
  })

  it.each([
    ['lists that are none', { screens: 5, menu: 'x' }, '"screens" is no list'],
    ['an entry that is nothing', { screens: [null, screen] }, 'screens[0]: it is no object'],
    ['a screen without a loader', { screens: [{ ...screen, load: 5 }, screen] }, '"load" is'],
    ['a screen without a path', { screens: [{ ...screen, path: 'here' }, screen] }, '"path" is'],
    [
      'a screen with a title of no text',
      { screens: [{ ...screen, title: {} }, screen] },
      '"title"',
    ],
    ['a screen for nobody known', { screens: [{ ...screen, access: 'all' }, screen] }, '"access"'],
    ['a screen in no known frame', { screens: [{ ...screen, frame: 'x' }, screen] }, '"frame"'],
    [
      'a screen with a bad place',
      { screens: [{ ...screen, menu: { order: 1 } }, screen] },
      '"menu"',
    ],
    ['the sign-in page', { screens: [{ ...screen, path: '/login' }, screen] }, 'belongs to the'],
    ['its other spelling', { screens: [{ ...screen, path: '/Login/' }, screen] }, 'belongs to the'],
    ['every page', { screens: [{ ...screen, path: '/*' }, screen] }, 'belongs to the'],
    ['a page with an open name', { screens: [{ ...screen, path: '/:any' }, screen] }, 'belongs to'],
    [
      'a page below another',
      { screens: [{ ...screen, path: '/user/edit/5' }, screen] },
      'belongs to',
    ],
  ])('keeps what is sound beside %s', (_name, exported, fault) => {
    const { part, faults } = read({ widgets: [widget], ...exported })
    expect(faults).toContain(fault)
    expect(part.widgets).toHaveLength(1)
    const isKept = Array.isArray((exported as { screens?: unknown }).screens)
    expect(part.screens?.map(({ path }) => path)).toEqual(isKept ? ['/sample'] : [])
  })

  it.each([
    ['menu', { menu: [{ ...entry, icon: 'star' }] }, '"icon"'],
    ['menu', { menu: [{ ...entry, order: Number.NaN }] }, '"order"'],
    ['widgets', { widgets: [{ ...widget, size: 'huge' }] }, '"size"'],
    ['signInMethods', { signInMethods: [{ id: 5, order: 1 }] }, '"id"'],
    ['settings', { settings: [{ id: 'x', tab: 1, section: 's', load }] }, '"tab"'],
    ['bindings', { bindings: [{ id: 'x', order: 1 }] }, '"load"'],
    ['botChecks', { botChecks: [{ id: 'x', load }] }, '"isEnabled"'],
    ['tables', { tables: [{ columns: [] }] }, '"id"'],
    ['drawers', { drawers: [{ id: 'x', drawer: 5, title: 't', order: 1, load }] }, '"drawer"'],
    ['home', { home: [{ id: 'x', order: 1, place: 'left', load }] }, '"place"'],
  ])('loses an entry of %s that is not right', (key, exported, fault) => {
    const { part, faults } = read(exported)
    expect(part[key as 'menu']).toEqual([])
    expect(faults).toContain(fault)
  })

  it('loses of a table only the column or action that is not right', () => {
    const column = { id: 'x', title: 't', load }
    const action = { id: 'x', label: 'l', load, isVisible: throwing, link: () => 'javascript:1' }
    const { part, faults, messages } = read({
      tables: [
        {
          id: 'users',
          columns: [{ ...column, align: 'middle' }, column, null],
          rowActions: [action, { id: 'y', label: 'l' }, { ...action, label: 5 }],
        },
        { id: 'tokens', columns: 'all', rowActions: [action] },
        { id: 'logs' },
      ],
    })
    expect(part.tables).toMatchObject([
      { id: 'users', columns: [column], rowActions: [{ id: 'x' }] },
      { id: 'tokens', columns: [], rowActions: [{ id: 'x' }] },
      { id: 'logs', columns: [], rowActions: [] },
    ])
    for (const fault of [
      'tables[0].columns[0]: "align"',
      'tables[0].columns[2]: it is no object',
      'tables[0].rowActions[1]: it has neither',
      'tables[0].rowActions[2]: "label"',
      '"tables[1].columns" is no list',
    ])
      expect(faults).toContain(fault)
    const [sound] = part.tables?.[0]?.rowActions ?? []
    expect([sound?.isVisible?.({}), sound?.link?.({})]).toEqual([false, undefined])
    expect(messages()).toContain('tables[0].rowActions[0].isVisible(): out of order')
  })

  it('hides an entry whose visibility, link or children cannot be told', () => {
    const { part, messages } = read({
      menu: [
        { ...entry, isVisible: throwing },
        { ...entry, id: 'second', link: throwing },
        { ...entry, id: 'third', link: () => 'javascript:alert(1)' },
        { ...entry, id: 'fourth', children: () => [{ label: {}, link: '/x' }] },
      ],
      botChecks: [{ id: 'x', isEnabled: throwing, load }],
    })
    expect(part.menu?.[0]?.isVisible?.(context)).toBe(false)
    expect(part.menu?.[1]?.link?.(context)).toBeUndefined()
    expect(part.menu?.[2]?.link?.(context)).toBeUndefined()
    expect(part.menu?.[3]?.children?.(context)).toEqual([])
    expect(part.botChecks?.[0]?.isEnabled(undefined as never)).toBe(false)
    expect(messages()).toContain('menu[0].isVisible(): out of order')
  })

  it('loses a list that cannot be read', () => {
    const exported = { widgets: [widget] }
    Object.defineProperty(exported, 'screens', { get: throwing })
    const { part, faults } = read(exported)
    expect(part.screens).toEqual([])
    expect(part.widgets).toHaveLength(1)
    expect(faults).toContain('screens: out of order')
  })

  it('goes without an icon that cannot be drawn', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { part } = read({ menu: [{ ...entry, icon: throwing }] })
    const Icon = part.menu?.[0]?.icon
    expect(Icon && render(createElement(Icon)).container.innerHTML).toBe('')
    vi.restoreAllMocks()
  })

  it.each([
    ['text', 'Hello'],
    ['one language', { en: {} }],
    ['numbers', { en: { title: 5 }, zh: {} }],
    ['lists', { en: { title: ['a'] }, zh: {} }],
  ])('keeps its screens where its texts are %s', (_name, texts) => {
    const { part, faults } = read({ screens: [screen], texts })
    expect(part.texts).toBeUndefined()
    expect(part.screens).toHaveLength(1)
    expect(faults).toContain('texts:')
  })
})

describe('a list of a console module', () => {
  it('is taken as far as somebody could read it', () => {
    const many = <E extends object>(make: (index: number) => E) =>
      Array.from({ length: 10_000 }, (_, index) => make(index))
    const { part, messages } = read({
      menu: many((index) => ({ ...entry, id: `entry ${index}` })),
      tables: [
        { id: 'users', columns: many((index) => ({ id: `c${index}`, title: 'title', load })) },
      ],
    })
    expect(part.menu).toHaveLength(100)
    expect(part.tables?.[0]?.columns).toHaveLength(100)
    expect(messages()).toContain('"menu" has 10000 entries, of which the first 100 are taken.')
    expect(messages()).toContain('"tables[0].columns" has 10000 entries')
  })

  it('has each id once', () => {
    const section = { id: 'notes', drawer: 'user', title: 'title', order: 1, load }
    const { part, messages } = read({
      widgets: [widget, widget],
      screens: [screen, screen],
      drawers: [section, section, { ...section, drawer: 'token' }],
      tables: [{ id: 'users' }, { id: 'users' }],
    })
    expect(part.widgets).toHaveLength(1)
    expect(part.screens).toHaveLength(1)
    expect(part.drawers).toHaveLength(2)
    expect(part.tables).toHaveLength(2)
    expect(messages()).toContain('widgets[1]: there is another "sample" before it')
  })

  it('of a menu entry is cut as well', () => {
    const children = () => Array.from({ length: 10_000 }, () => ({ label: 'x', link: '/x' }))
    const { part } = read({ menu: [{ ...entry, children }] })
    expect(part.menu?.[0]?.children?.(context)).toHaveLength(100)
  })
})
