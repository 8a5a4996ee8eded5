import { Button, Input } from '@arco-design/web-react'
import { IconEdit } from '@arco-design/web-react/icon'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton, isComposing, useTexts, useUnsaved } from '#console'
import {
  CopyMessage,
  type MessageProps,
  type MessageTools,
  RemoveMessage,
} from './message-tools.tsx'
import type { Message } from './message.ts'
import { Picture } from './picture.tsx'

export function Question({ message, tools }: MessageProps) {
  const t = useTexts('playground')
  const [isEdited, setEdited] = useState(false)
  const buttons = useRef<HTMLDivElement>(null)
  const leave = () => {
    setEdited(false)
    // The button is back with the next picture: the focus goes on from where it came.
    requestAnimationFrame(() =>
      buttons.current?.querySelector<HTMLElement>('[data-action=edit]')?.focus(),
    )
  }
  if (isEdited && tools) return <EditedQuestion message={message} tools={tools} onLeave={leave} />
  return (
    <>
      <div className="chat-bubble">
        {message.images?.map((address) => (
          <Picture key={address} address={address} alt={t('picture.yours')} />
        ))}
        {message.content}
      </div>
      {tools ? (
        <div className="chat-tools" ref={buttons}>
          <CopyMessage text={message.content} t={t} />
          <IconButton
            size="mini"
            icon={<IconEdit />}
            label={t('action.edit')}
            data-action="edit"
            disabled={tools.isBusy}
            onClick={() => setEdited(true)}
          />
          <RemoveMessage message={message} tools={tools} t={t} />
        </div>
      ) : null}
    </>
  )
}

interface EditedProps {
  message: Message
  tools: MessageTools
  onLeave(): void
}

/** The keys are those of the composer: Enter sends, Shift+Enter starts a new line. Escape leaves the question as it was. */
function EditedQuestion({ message, tools, onLeave }: EditedProps) {
  const t = useTexts('playground')
  const [draft, setDraft] = useState(message.content)
  useUnsaved(draft !== message.content)
  const canSend = draft.trim() !== '' && !tools.isBusy
  const send = () => {
    if (!canSend) return
    onLeave()
    tools.edit(message.id, draft.trim())
  }
  const press = (event: KeyboardEvent) => {
    // These keys end a word of an input method (IME).
    if (isComposing(event)) return
    if (event.key === 'Escape') onLeave()
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <div className="chat-edit">
      <Input.TextArea
        autoFocus
        value={draft}
        onChange={setDraft}
        onKeyDown={press}
        // Browsers begin at the front; what one changes is mostly the end.
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        autoSize={{ minRows: 2, maxRows: 12 }}
        aria-label={t('edit.label')}
      />
      <div className="chat-edit-actions">
        <Button size="small" onClick={onLeave}>
          {t('cancel')}
        </Button>
        <Button size="small" type="primary" disabled={!canSend} onClick={send}>
          {t('edit.send')}
        </Button>
      </div>
    </div>
  )
}
