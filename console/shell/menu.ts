import type { ComponentType } from 'react'
import { useMemo } from 'react'
import { matchPath } from 'react-router-dom'
import type {
  MenuContext,
  MenuEntry,
  MenuGroup,
  Owned,
  Screen,
} from '../registry/console-plugin.ts'
import { useRegistry } from '../registry/registry.ts'
import { mayAccess, useSession } from '../stores/session.ts'
import { useStatus } from '../stores/status.ts'
import { type Texts, titlesOf, useTexts } from '../texts/use-texts.ts'

export interface MenuItem {
  /** The path of the entry's screen, or the owner and id of the entry. */
  key: string
  label: string
  link: string
  icon?: ComponentType
  children: readonly { label: string; link: string }[]
}

export interface MenuSection {
  group: MenuGroup
  /** Undefined for entries above the groups. */
  title?: string
  items: readonly MenuItem[]
}

export interface ShellMenu {
  top: readonly MenuItem[]
  /** The sidebar groups that have entries. */
  groups: readonly MenuSection[]
}

const sidebarGroups = ['playground', 'console', 'admin', 'personal'] as const

/** The menu of the user: the contributions of all plugins without those that the user may not see. */
export function useMenu(): ShellMenu {
  const t = useTexts()
  const { screens, menu } = useRegistry()
  const user = useSession((session) => session.user)
  const status = useStatus()
  return useMemo(() => {
    const items = itemsOf(screens, menu, { user, status })
    const groups = sidebarGroups
      .map((group) => ({
        group,
        title: group === 'playground' ? undefined : t(`shell.groups.${group}`),
        items: items.filter((item) => item.group === group),
      }))
      .filter(({ items }) => items.length > 0)
    return { groups, top: topOf(items, status?.docs_link, t) }
  }, [screens, menu, user, status, t])
}

type PlacedItem = MenuItem & { group: MenuGroup; order: number }

function itemsOf(
  screens: readonly Owned<Screen>[],
  menu: readonly Owned<MenuEntry>[],
  context: MenuContext,
): PlacedItem[] {
  const fromScreens = screens.flatMap(({ menu: place, path, title, access = 'user', owner }) => {
    if (!place || !mayAccess(context.user, access) || place.isVisible?.(context) === false)
      return []
    const label = titlesOf(owner)(place.label ?? title)
    return [{ ...place, key: path, label, link: path.replace(/\/:.*$/, ''), children: [] }]
  })
  const fromMenu = menu.flatMap((entry) => {
    const { access = 'user', owner, id } = entry
    if (!mayAccess(context.user, access) || entry.isVisible?.(context) === false) return []
    const children = entry.children?.(context) ?? []
    const link = entry.link?.(context)
    if (!link && children.length === 0) return []
    const label = titlesOf(owner)(entry.label)
    return [{ ...entry, key: `${owner}:${id}`, label, link: link ?? '', children }]
  })
  return [...fromScreens, ...fromMenu].sort((a, b) => a.order - b.order)
}

/** The current entry: the one with the path of the screen, or another address of the same screen; otherwise the
 *  entry whose link is the longest prefix of the address. */
export function currentLink(
  { top, groups }: ShellMenu,
  screens: readonly Owned<Screen>[],
  pathname: string,
): string | undefined {
  const items = [...groups.flatMap(({ items: own }) => own), ...top]
  const links = items.flatMap(({ link, children }) => [
    link,
    ...children.map((child) => child.link),
  ])
  if (links.includes(pathname)) return pathname
  const screen = screens.find(({ path }) => matchPath(path, pathname))
  const siblings = screens.filter(({ load }) => load === screen?.load).map(({ path }) => path)
  const own = items.find(({ key }) => siblings.includes(key))
  if (own) return own.link
  const within = links.filter((link) => link.length > 1 && pathname.startsWith(`${link}/`))
  return within.sort((a, b) => b.length - a.length)[0]
}

/** The links of the top bar. The console's link leads to its first screen, the documentation's to the operator's
 *  address. */
function topOf(items: readonly PlacedItem[], docsLink: string | undefined, t: Texts): MenuItem[] {
  const top = items.filter(({ group }) => group === 'top')
  const start = items.find(({ group, link }) => group === 'console' && link.startsWith('/'))
  const own: PlacedItem[] = []
  if (start)
    own.push({ ...start, key: 'console', label: t('shell.console'), order: 20, icon: undefined })
  if (docsLink) {
    own.push({
      key: 'docs',
      label: t('shell.docs'),
      link: docsLink,
      children: [],
      group: 'top',
      order: 40,
    })
  }
  return [...top, ...own].sort((a, b) => a.order - b.order)
}
