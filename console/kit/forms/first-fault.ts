import type { RefObject } from 'react'

/** Scrolls to the first invalid field of a refused form and moves the focus into it. */
export function focusFirstFault(container: HTMLElement | null): void {
  // Runs after Arco has drawn the faults.
  requestAnimationFrame(() => {
    const fault = container?.querySelector('.arco-form-item-status-error')
    fault?.closest('details')?.setAttribute('open', '')
    fault?.scrollIntoView({ block: 'center' })
    // In a field with several inputs, the one that is invalid.
    const wrong = fault?.querySelector<HTMLElement>(':is(input, textarea)[aria-invalid=true]')
    const first = 'input, textarea, [role=combobox], button'
    const field = wrong ?? fault?.querySelector<HTMLElement>(first)
    field?.focus()
  })
}

/** Moves the focus into the first input of a form, except on touch screens, whose keyboard would cover the form. */
export function focusFirstField(body: RefObject<HTMLElement | null>): void {
  if (globalThis.matchMedia?.('(pointer: coarse)').matches) return
  requestAnimationFrame(() => {
    const first = 'input, textarea, button[aria-haspopup=dialog]'
    const field = body.current?.querySelector<HTMLElement>(first)
    field?.focus({ preventScroll: true })
  })
}
