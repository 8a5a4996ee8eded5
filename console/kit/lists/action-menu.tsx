import { Dropdown } from '@arco-design/web-react'
import { IconMore } from '@arco-design/web-react/icon'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Action, runAction } from './action.ts'
import { useFocusInside } from '../focus-inside.ts'
import { IconButton } from '../icon-button.tsx'
import { placeInTable, standInFor } from './row-place.ts'

const enabledItem = '[role=menuitem]:not([disabled])'

/** A button with a menu of actions. Uses its own items, because Arco's menu cannot be reached by keyboard. */
export function ActionMenu({
  actions,
  label,
  head,
  children,
}: {
  actions: readonly Action[]
  label: string
  /** Facts above the actions; rendered again each time the menu opens. */
  head?: ReactNode
  /** The button; left out: "…". */
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  useOpenerState(anchor, isOpen)
  useFocusAfterRow(anchor, isOpen)
  const close = () => {
    setOpen(false)
    openerIn(anchor)?.focus({ preventScroll: true })
  }
  const menu = <Menu actions={actions} label={label} head={head} onClose={close} />
  return (
    <Dropdown
      droplist={menu}
      trigger="click"
      position="br"
      popupVisible={isOpen}
      onVisibleChange={setOpen}
      unmountOnExit
    >
      {/* Arco measures its child by ref, which does not come through a second trigger (the button's own hint). */}
      <span className="menu-anchor" ref={anchor}>
        {children ?? <IconButton size="mini" icon={<IconMore />} label={label} isOpen={isOpen} />}
      </span>
    </Dropdown>
  )
}

function Menu({
  actions,
  label,
  head,
  onClose,
}: {
  actions: readonly Action[]
  label: string
  head?: ReactNode
  onClose(): void
}) {
  const list = useRef<HTMLDivElement>(null)
  useFocusInside(list, enabledItem)
  const items = (
    <div
      ref={list}
      role="menu"
      aria-label={label}
      className={head ? undefined : 'arco-dropdown-menu action-menu'}
      onKeyDown={(event) => moveByKey(event, itemsOf(list), onClose)}
    >
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={action.isDisabled}
          className={`arco-dropdown-menu-item action-item ${action.isDanger ? 'menu-danger' : ''}`}
          onClick={() => {
            onClose()
            void runAction(action)
          }}
        >
          {action.icon ? <span className="menu-icon">{action.icon}</span> : null}
          {action.label}
        </button>
      ))}
    </div>
  )
  if (!head) return items
  return (
    <div className="arco-dropdown-menu action-menu">
      <div className="menu-head">{head}</div>
      {items}
    </div>
  )
}

function openerIn(anchor: RefObject<HTMLElement | null>) {
  return anchor.current?.querySelector('button')
}

function itemsOf(list: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>(enabledItem) ?? [])]
}

/** Adds the menu's ARIA attributes to whatever button was given. */
function useOpenerState(anchor: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const opener = openerIn(anchor)
    opener?.setAttribute('aria-haspopup', 'menu')
    opener?.setAttribute('aria-expanded', String(isOpen))
  })
}

/** Where the row of an open menu goes away, the menu goes with it, and the focus that was in the menu moves to the row in its place. */
function useFocusAfterRow(anchor: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const place = isOpen ? placeInTable(openerIn(anchor) ?? null) : undefined
    if (!place) return undefined
    return () => {
      window.setTimeout(() => {
        const isLost = document.activeElement === document.body
        if (isLost && !place.control.isConnected && place.table.isConnected)
          standInFor(place)?.focus({ preventScroll: true })
      })
    }
  }, [anchor, isOpen])
}

function moveByKey(event: KeyboardEvent, items: readonly HTMLElement[], close: () => void): void {
  const last = items.length - 1
  const at = items.indexOf(document.activeElement as HTMLElement)
  const targets: Record<string, number> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  }
  const target = targets[event.key]
  if (target !== undefined) {
    event.preventDefault()
    items[target]?.focus()
  }
  // Tab continues after the button. Escape must not close the dialog or drawer around the menu.
  if (event.key === 'Tab') close()
  if (event.key === 'Escape') {
    event.stopPropagation()
    close()
  }
}
