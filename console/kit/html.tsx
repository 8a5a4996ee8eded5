import { lazy, Suspense } from 'react'
import { Loading } from './states.tsx'

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
export function Frame({ address, title }: { address: string; title: string }) {
  return (
    <iframe
      className="frame"
      src={address}
      title={title}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      referrerPolicy="no-referrer"
    />
  )
}
