import { Input } from '@arco-design/web-react'
import { IconCopy } from '@arco-design/web-react/icon'
import { create } from 'zustand'
import { textsOf, useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../dialog.tsx'
import { Hint } from '../hint.tsx'
import { IconButton } from '../icon-button.tsx'
import { toast } from '../toast.ts'
import { copyByCommand } from './copy-by-command.ts'

const useManualCopy = create<{ text: string | undefined }>()(() => ({ text: undefined }))

/** Copies a text and confirms it. If the browser refuses, a dialog shows the text for copying by hand. */
export async function copyText(text: string, message?: string): Promise<boolean> {
  const isCopied = await tryCopy(text, message)
  if (!isCopied) useManualCopy.setState({ text })
  return isCopied
}

/** For a text that is shown with a button to copy it: nothing happens if the browser refuses. Safari does so whenever
 *  something was waited for since the press. */
export async function tryCopy(text: string, message?: string): Promise<boolean> {
  const isCopied = await putOnClipboard(text)
  if (isCopied) toast.success(message ?? textsOf()('copy.done'))
  return isCopied
}

async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

/** Rendered once, in the shell. */
export function ManualCopyHost() {
  const t = useTexts()
  const { text } = useManualCopy()
  const close = () => useManualCopy.setState({ text: undefined })
  if (text === undefined) return null
  return (
    <Dialog title={t('copy.manualTitle')} onClose={close}>
      <p>{t('copy.manual')}</p>
      <Input.TextArea
        className="code"
        value={text}
        readOnly
        autoSize={{ minRows: 2, maxRows: 8 }}
        onFocus={(event) => event.target.select()}
        aria-label={t('copy.manualTitle')}
      />
    </Dialog>
  )
}

export function CopyButton({
  text,
  label,
  message,
}: {
  text: string
  label?: string
  message?: string
}) {
  const t = useTexts()
  return (
    <IconButton
      size="mini"
      icon={<IconCopy />}
      label={label ?? t('copy.copy')}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(text, message)
      }}
    />
  )
}

/** A short text, such as an id, that a click copies. Long ones are shortened. No text, and an id of 0, show a dash. */
export function CopyLabel({ text, message }: { text: string; message: string }) {
  if (text === '' || text === '0') return <span className="muted">–</span>
  return (
    <Hint text={text}>
      <button
        type="button"
        className="label code copy-label"
        onClick={() => void copyText(text, message)}
      >
        {text}
      </button>
    </Hint>
  )
}
