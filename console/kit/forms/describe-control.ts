import type { FocusEvent } from 'react'

const described = 'input, textarea, [role=combobox], [role=switch]'

/** Arco does not say that help and fault belong to the control above them: screen readers hear of them when it gets the focus. */
export function describeControl({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!target.matches(described)) return
  const idOf = (kind: string) => `${target.id}_${kind}`
  const kinds = ['message', 'extra'].filter((kind) => {
    const words = currentTarget.querySelector(`.arco-form-${kind}`)
    if (words) words.id = idOf(kind)
    return words !== null
  })
  const named = target.getAttribute('aria-describedby')?.split(' ') ?? []
  const others = named.filter((id) => id !== idOf('message') && id !== idOf('extra'))
  const ids = [...others, ...kinds.map(idOf)]
  if (ids.length > 0) target.setAttribute('aria-describedby', ids.join(' '))
  else target.removeAttribute('aria-describedby')
}
