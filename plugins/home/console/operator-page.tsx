import { Frame, RichText, useTexts } from '#console'

/** What an admin wrote: an address is shown in a frame, anything else as Markdown or HTML without scripts. */
export function OperatorPage({ content }: { content: string }) {
  const t = useTexts('home')
  if (content.startsWith('https://'))
    return <Frame address={content.trim()} title={t('home.frame')} />
  return (
    <div className="page page-text">
      <RichText text={content} />
    </div>
  )
}
