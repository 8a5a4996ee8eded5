import { type AddedCellProps, useData, useTexts, useTextDialog, TextPreview } from '#console'
import type { LiveFigures } from '../schema.ts'
import './live.css'

/** A cell in the list of channels: why the last attempt of the last hour failed. All rows share one answer. */
export default function LastFailure({ row }: AddedCellProps) {
  const t = useTexts('live-figures')
  const [show, dialog] = useTextDialog()
  const { data } = useData<LiveFigures>('/api/live', { staleMs: 30_000 })
  const message = data?.channels.failing.find(({ id }) => id === row['id'])?.last_error?.message
  if (!message) return null
  return (
    <>
      <TextPreview
        text={message}
        onOpen={() => show({ title: () => t('failing.last'), text: message, isCode: true })}
      />
      {dialog}
    </>
  )
}
