import { Frame, RichText } from '#console'

/** Content of an admin: an address is shown in a frame, anything else as Markdown or HTML without scripts. */
export function OperatorPage({ content, title }: { content: string; title: string }) {
  const address = content.trim()
  // Only a single line is an address, because Markdown may begin with one.
  if (/^https:\/\/\S+$/.test(address)) return <Frame address={address} title={title} />
  return (
    <div className="page page-text">
      <RichText text={content} />
    </div>
  )
}
