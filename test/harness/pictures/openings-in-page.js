// Runs in a page of a window that `openWindow` made: which control `openings.ts` presses next, and how much is open.
{
  const controls =
    'button:not([role=switch], [role=option]), [role=combobox]'
  const overlays =
    '[role=dialog], .arco-modal, [role=menu], .arco-trigger:not(.arco-tooltip)'
  // Of a table the first row stands for all.
  const leftOut = 'tr:nth-child(n + 2) *, .row-card:nth-child(n + 2) *, .pager *, .drawer-head *'
  const atLast = '.drawer-footer *'

  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
  const opened = () =>
    [...document.querySelectorAll(overlays)].filter(
      (element) => isShown(element) && !element.parentElement.closest(overlays),
    )
  const nameOf = (element) =>
    (element.getAttribute('aria-label') || element.innerText || element.className)
      .trim()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .slice(0, 40)
  const scope = () => opened().at(-1) ?? document.querySelector('main')

  globalThis.openings = {
    count: () => opened().length,
    /** Whether what is on top is a page of its own kind, whose controls open more: a drawer or a menu. */
    goesOn: () => opened().at(-1)?.matches('.drawer, :has([role=menu]), [role=menu]') ?? true,
    /** The first control on top that is not in `done`, and its name. */
    next(done) {
      const found = [...scope().querySelectorAll(controls)].filter(
        (element) => isShown(element) && !element.disabled && !element.matches(leftOut),
      )
      const sorted = [
        ...found.filter((element) => !element.matches(atLast)),
        ...found.filter((element) => element.matches(atLast)),
      ]
      const control = sorted.find((element) => !done.includes(nameOf(element)))
      if (!control) return undefined
      const isTab = control.matches('[role=tab]')
      return { control, name: nameOf(control), isTab, isLast: control.matches(atLast) }
    },
    /** How many pixels of what is on top, or of the page, are out of sight. */
    hiddenHeight() {
      const top = opened().at(-1) ?? document.documentElement
      // A list stays as long as it is.
      if (top.matches('.arco-trigger')) return 0
      const all = [top, ...top.querySelectorAll('*')]
      return Math.max(
        ...all.map((element) =>
          element === document.documentElement ||
          /auto|scroll/.test(getComputedStyle(element).overflowY)
            ? element.scrollHeight - element.clientHeight
            : 0,
        ),
      )
    },
  }
}
