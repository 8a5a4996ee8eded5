import { IconMenuFold, IconMenuUnfold } from '@arco-design/web-react/icon'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Hint } from '../kit/hint.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { useTexts } from '../texts/use-texts.ts'
import type { SidebarWidth } from './use-sidebar.ts'
import type { MenuItem, MenuSection } from './menu.ts'
import { MenuLink } from './menu-link.tsx'

/** 200 px wide, or 60 px when it is collapsed. */
export function Sidebar({
  groups,
  current,
  isCollapsed,
  setCollapsed,
}: {
  groups: readonly MenuSection[]
  current: string | undefined
} & SidebarWidth) {
  const t = useTexts()
  return (
    <aside className="sidebar">
      <SidebarMenu
        groups={groups}
        current={current}
        isCollapsed={isCollapsed}
        onExpand={() => setCollapsed(false)}
      />
      <div className="sidebar-foot">
        <IconButton
          icon={isCollapsed ? <IconMenuUnfold /> : <IconMenuFold />}
          label={t(isCollapsed ? 'shell.expand' : 'shell.collapse')}
          aria-expanded={!isCollapsed}
          onClick={() => setCollapsed(!isCollapsed)}
        />
      </div>
    </aside>
  )
}

/** The groups with their entries, for the sidebar and for the drawer on a phone. The links of the top bar, which has no icons, begin in
 *  one line there: some of them have an icon for elsewhere, others have none. */
export function SidebarMenu({
  groups,
  current,
  isCollapsed = false,
  onExpand,
  onNavigate,
}: {
  groups: readonly MenuSection[]
  /** The link of the current entry. */
  current: string | undefined
  isCollapsed?: boolean
  /** An entry without a link of its own was pressed while its links are hidden. */
  onExpand?: () => void
  onNavigate?: () => void
}) {
  const t = useTexts()
  const menu = useCurrentInSight(current)
  return (
    <nav className="sidebar-menu" aria-label={t('shell.sidebar')} ref={menu}>
      {groups.map(({ group, title, items }) => (
        <section key={group}>
          {title ? <h2 className="sidebar-title">{isCollapsed ? null : title}</h2> : null}
          <ul>
            {items.map((item) => (
              <Entry
                key={item.key}
                item={group === 'top' ? { ...item, icon: undefined } : item}
                current={current}
                isCollapsed={isCollapsed}
                onExpand={onExpand}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Scrolls the current entry into view where the menu is longer than the window. */
function useCurrentInSight(current: string | undefined): RefObject<HTMLElement | null> {
  const menu = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const entry = current && menu.current?.querySelector('[aria-current="page"]')
    if (!menu.current || !entry) return
    const [box, place] = [menu.current.getBoundingClientRect(), entry.getBoundingClientRect()]
    if (place.bottom > box.bottom) menu.current.scrollTop += place.bottom - box.bottom
    else if (place.top < box.top) menu.current.scrollTop -= box.top - place.top
  }, [current])
  return menu
}

interface EntryProps {
  item: MenuItem
  current: string | undefined
  isCollapsed: boolean
  onExpand?: () => void
  onNavigate?: () => void
}

function Entry({ item, current, isCollapsed, onExpand, onNavigate }: EntryProps) {
  const [isOpen, setOpen] = useState(true)
  const press = () => {
    setOpen(isCollapsed || !isOpen)
    if (isCollapsed) onExpand?.()
  }
  const face = <Face item={item} isCollapsed={isCollapsed} />
  const entry = item.link ? (
    <MenuLink
      to={item.link}
      isCurrent={item.link === current}
      className="sidebar-entry"
      onClick={onNavigate}
      label={isCollapsed ? item.label : undefined}
    >
      {face}
    </MenuLink>
  ) : (
    <button
      type="button"
      className="sidebar-entry"
      aria-expanded={isOpen && !isCollapsed}
      aria-label={isCollapsed ? item.label : undefined}
      onClick={press}
    >
      {face}
    </button>
  )
  return (
    <li>
      {isCollapsed ? (
        <Hint text={item.label}>
          <span className="sidebar-hint">{entry}</span>
        </Hint>
      ) : (
        entry
      )}
      {item.children.length > 0 && isOpen && !isCollapsed ? (
        <Children item={item} current={current} onNavigate={onNavigate} />
      ) : null}
    </li>
  )
}

/** Icon and name; when collapsed, the icon or the first letter. */
function Face({ item, isCollapsed }: Pick<EntryProps, 'item' | 'isCollapsed'>) {
  const Icon = item.icon
  return (
    <>
      {Icon || isCollapsed ? (
        <span className="sidebar-icon" aria-hidden>
          {Icon ? <Icon /> : item.label.slice(0, 1)}
        </span>
      ) : null}
      {isCollapsed ? null : <span className="sidebar-label">{item.label}</span>}
    </>
  )
}

function Children({ item, current, onNavigate }: Omit<EntryProps, 'isCollapsed'>) {
  return (
    <ul className="sidebar-children">
      {item.children.map(({ label, link }) => (
        <li key={link}>
          <MenuLink
            to={link}
            isCurrent={link === current}
            className="sidebar-entry"
            onClick={onNavigate}
          >
            <span className="sidebar-label">{label}</span>
          </MenuLink>
        </li>
      ))}
    </ul>
  )
}
