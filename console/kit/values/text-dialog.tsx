import { Button } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../dialog.tsx'
import { copyText } from './copy.tsx'

interface LongText {
  /** A function says it in the language that is shown. */
  title: string | (() => string)
  text: string
  isCode?: boolean
}

/** Returns a function that shows a long text in a dialog, and the dialog to render. */
export function useTextDialog(): [show: (text: LongText) => void, dialog: ReactNode] {
  const [shown, setShown] = useState<LongText>()
  const dialog = shown ? <TextDialog {...shown} onClose={() => setShown(undefined)} /> : null
  return [setShown, dialog]
}

/** The whole text, which can be copied. */
function TextDialog({ title: asGiven, text, isCode, onClose }: LongText & { onClose(): void }) {
  const t = useTexts()
  const title = typeof asGiven === 'string' ? asGiven : asGiven()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      className="text-dialog"
      footer={
        <>
          <Button onClick={() => void copyText(text)}>{t('copy.copy')}</Button>
          <Button type="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
    >
      <div
        className={`text-whole ${isCode ? 'code' : ''}`}
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        {text}
      </div>
    </Dialog>
  )
}

/** The beginning of a text on one line; a click shows all of it. */
export function TextPreview({ text, onOpen }: { text: string; onOpen(): void }) {
  if (text === '') return <span className="muted">–</span>
  return (
    <button
      type="button"
      className="text-preview"
      title={text.slice(0, 300)}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
    >
      {text}
    </button>
  )
}
