import type { RefObject } from 'react'

/** After a form was refused: the first field at fault comes into view and takes the focus. */
export function focusFirstFault(container: HTMLElement | null): void {
  // After Arco has drawn the faults.
  requestAnimationFrame(() => {
    const fault = container?.querySelector('.arco-form-item-status-error')
    fault?.closest('details')?.setAttribute('open', '')
    fault?.scrollIntoView({ block: 'center' })
    // Of a field with several inputs the one that is wrong.
    const wrong = fault?.querySelector<HTMLElement>(':is(input, textarea)[aria-invalid=true]')
    const first = 'input, textarea, [role=combobox], button'
    const field = wrong ?? fault?.querySelector<HTMLElement>(first)
    field?.focus()
  })
}

/** People come to type. Not where a finger does: the keyboard on the screen would cover the form. */
export function focusFirstField(body: RefObject<HTMLElement | null>): void {
  if (globalThis.matchMedia?.('(pointer: coarse)').matches) return
  requestAnimationFrame(() => {
    const field = body.current?.querySelector<HTMLElement>('input, textarea')
    field?.focus({ preventScroll: true })
  })
}
