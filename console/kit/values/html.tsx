import { lazy, Suspense } from 'react'
import { Loading } from '../states.tsx'

const Sanitised = lazy(() => import('./sanitised.tsx'))
const Markdown = lazy(() => import('./markdown.tsx'))

/** Markdown or HTML that an administrator wrote, without scripts, event handlers and style sheets. */
export function RichText({ text, isHtml }: { text: string; isHtml?: boolean }) {
  const asHtml = isHtml ?? /^\s*<[a-z!]/i.test(text)
  return (
    <Suspense fallback={asHtml ? <Loading /> : <Unformatted text={text} />}>
      <div className="rich-text">
        {asHtml ? <Sanitised html={text} /> : <Markdown text={text} />}
      </div>
    </Suspense>
  )
}

/** Takes about the room of the text, so that what stands below stays where it is. */
function Unformatted({ text }: { text: string }) {
  return (
    <div className="rich-text is-unformatted">
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  )
}

/** A page of another site in a frame. */
export function Frame({
  address,
  title,
  allow,
}: {
  address: string
  title: string
  /** Device permissions for the page: `camera; microphone`. */
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

/** A page of another site may keep its own storage. With that right, a page of this site could leave the sandbox. */
function permissionsOf(address: string): string {
  const isForeign = new URL(address, window.location.href).origin !== window.location.origin
  return `allow-scripts allow-forms allow-popups${isForeign ? ' allow-same-origin' : ''}`
}
