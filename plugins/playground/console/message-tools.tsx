// What can be done with a message, below it.
import { IconCopy, IconDelete } from '@arco-design/web-react/icon'
import { copyText, IconButton, type Texts } from '#console'
import type { Message } from './message.ts'

export interface MessageTools {
  /** True while an answer is streaming; other actions are then disabled. */
  isBusy: boolean
  retry(id: number): void
  edit(id: number, text: string): void
  remove(id: number): void
}

export interface MessageProps {
  message: Message
  tools?: MessageTools
}

export function CopyMessage({ text, t }: { text: string; t: Texts }) {
  return (
    <IconButton
      size="mini"
      icon={<IconCopy />}
      label={t('action.copy')}
      disabled={text === ''}
      onClick={() => void copyText(text)}
    />
  )
}

export function RemoveMessage({
  message,
  tools,
  t,
}: {
  message: Message
  tools: MessageTools
  t: Texts
}) {
  return (
    <IconButton
      size="mini"
      icon={<IconDelete />}
      label={t('action.remove')}
      disabled={tools.isBusy}
      onClick={() => tools.remove(message.id)}
    />
  )
}
