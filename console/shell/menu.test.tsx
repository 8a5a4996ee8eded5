import { describe, expect, it } from 'vitest'
import type { Owned, Screen } from '../registry/console-plugin.ts'
import { currentLink, type MenuItem } from './menu.ts'

const load = () => Promise.resolve({ default: () => null })
const screen = (path: string, own = load): Owned<Screen> => ({
  path,
  title: path,
  owner: 'x',
  load: own,
})
const item = (key: string, link = key): MenuItem => ({ key, link, label: key, children: [] })

const accountLoad = () => Promise.resolve({ default: () => null })
const listLoad = () => Promise.resolve({ default: () => null })
const screens = [
  screen('/'),
  screen('/user', listLoad),
  screen('/user/edit/:id', listLoad),
  screen('/user/edit', accountLoad),
  screen('/chat/:id?'),
]
const chats: MenuItem = {
  ...item('chats:links', ''),
  children: [
    { label: 'One', link: '/chat/0' },
    { label: 'Two', link: '/chat/1' },
  ],
}
const menu = {
  top: [item('/'), item('console', '/user')],
  groups: [
    { group: 'console', items: [chats, item('/user')] },
    { group: 'personal', items: [item('/user/edit')] },
  ],
} as const

describe('the entry that is current', () => {
  it.each([
    { address: '/user', entry: '/user' },
    { address: '/user/edit/5', entry: '/user' },
    { address: '/user/edit', entry: '/user/edit' },
    { address: '/chat/1', entry: '/chat/1' },
    { address: '/', entry: '/' },
    { address: '/users', entry: undefined },
  ])('is $entry at $address', ({ address, entry }) => {
    expect(currentLink(menu, screens, address)).toBe(entry)
  })
})
