import DOMPurify from 'dompurify'
import { useMemo } from 'react'

const options = {
  USE_PROFILES: { html: true },
  // A form could imitate the sign-in page; a style element could cover the whole console.
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select'],
  ADD_ATTR: ['target'],
}

export default function Sanitised({ html }: { html: string }) {
  const clean = useMemo(() => {
    const body = DOMPurify.sanitize(html, { ...options, RETURN_DOM: true }) as HTMLElement
    for (const link of body.querySelectorAll('a[target]')) {
      link.setAttribute('rel', 'noopener noreferrer')
    }
    return body.innerHTML
  }, [html])
  return <div dangerouslySetInnerHTML={{ __html: clean }} />
}
