import { lazy, Suspense } from 'react'
import { Loading } from '../states.tsx'

const Sanitised = lazy(() => import('./sanitised.tsx'))
const Markdown = lazy(() => import('./markdown.tsx'))

/** Text that an admin wrote, Markdown or HTML; scripts, handlers and styles of the page never survive. */
export function RichText({ text, isHtml }: { text: string; isHtml?: boolean }) {
  const asHtml = isHtml ?? /^\s*<[a-z!]/i.test(text)
  return (
    <Suspense fallback={<Loading />}>
      <div className="rich-text">
        {asHtml ? <Sanitised html={text} /> : <Markdown text={text} />}
      </div>
    </Suspense>
  )
}

/** A page of another site in a frame of its own. */
export function Frame({
  address,
  title,
  allow,
}: {
  address: string
  title: string
  /** Devices that the page may ask for: `camera; microphone`. */
  allow?: string
}) {
  return (
    <iframe
      className="frame"
      src={address}
      title={title}
      allow={allow}
      sandbox={permissionsOf(address)}
      referrerPolicy="no-referrer"
    />
  )
}

/** A page of another site keeps its own storage; one of ours would use it to leave the sandbox. */
function permissionsOf(address: string): string {
  const isForeign = new URL(address, window.location.href).origin !== window.location.origin
  return `allow-scripts allow-forms allow-popups${isForeign ? ' allow-same-origin' : ''}`
}
