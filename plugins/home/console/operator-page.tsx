import { Frame, RichText } from '#console'

/** What an admin wrote: an address is shown in a frame, anything else as Markdown or HTML without scripts. */
export function OperatorPage({ content, title }: { content: string; title: string }) {
  const address = content.trim()
  // One line: Markdown may begin with an address and go on.
  if (/^https:\/\/\S+$/.test(address)) return <Frame address={address} title={title} />
  return (
    <div className="page page-text">
      <RichText text={content} />
    </div>
  )
}
