import DOMPurify from 'dompurify'
import { useMemo } from 'react'
import { harmlessStyle } from './harmless-style.ts'

const options = {
  USE_PROFILES: { html: true },
  // A form could imitate the sign-in page; a style element or a dialog could cover the whole console.
  FORBID_TAGS: [
    'style',
    'form',
    'input',
    'button',
    'textarea',
    'select',
    'option',
    'optgroup',
    'datalist',
    'fieldset',
    'label',
    'dialog',
  ],
  // Classes and ids of the console's own style sheets could also place elements above it.
  FORBID_ATTR: ['class', 'id', 'name', 'popover', 'popovertarget', 'popovertargetaction', 'slot'],
  ADD_ATTR: ['target'],
}

/** HTML of an administrator without anything that could act as the console or cover it. */
function sanitise(html: string): string {
  const body = DOMPurify.sanitize(html, { ...options, RETURN_DOM: true }) as HTMLElement
  for (const link of body.querySelectorAll('a[target]')) {
    link.setAttribute('rel', 'noopener noreferrer')
  }
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) {
    const style = harmlessStyle(element.style)
    if (style === '') element.removeAttribute('style')
    else element.setAttribute('style', style)
  }
  return body.innerHTML
}

export default function Sanitised({ html }: { html: string }) {
  const clean = useMemo(() => sanitise(html), [html])
  // Content is painted inside its own box only.
  return <div style={{ contain: 'layout paint' }} dangerouslySetInnerHTML={{ __html: clean }} />
}
