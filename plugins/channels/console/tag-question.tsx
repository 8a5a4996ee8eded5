import { Input, Modal } from '@arco-design/web-react'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { FocusReturn, useTexts } from '#console'

/** Asks for one tag; empty takes the tag away. */
export function useTagQuestion(): [ask: () => Promise<string | undefined>, dialog: ReactNode] {
  const [answer, setAnswer] = useState<{ resolve: (tag: string | undefined) => void }>()
  const ask = useCallback(
    () => new Promise<string | undefined>((resolve) => setAnswer({ resolve })),
    [],
  )
  const close = (tag: string | undefined) => {
    answer?.resolve(tag)
    setAnswer(undefined)
  }
  return [ask, answer ? <TagQuestion key="tag" onAnswer={close} /> : null]
}

function TagQuestion({ onAnswer }: { onAnswer: (tag: string | undefined) => void }) {
  const t = useTexts('channels')
  const id = useId()
  const [tag, setTag] = useState('')
  return (
    <Modal
      visible
      title={t('tagQuestion.title')}
      okText={t(tag.trim() ? 'tagQuestion.set' : 'tagQuestion.clear')}
      cancelText={t('cancel')}
      onOk={() => onAnswer(tag.trim())}
      onCancel={() => onAnswer(undefined)}
      className="dialog"
      autoFocus
      focusLock
    >
      <FocusReturn />
      <div className="channel-question">
        <label htmlFor={id}>{t('field.tag')}</label>
        <Input
          id={id}
          value={tag}
          onChange={setTag}
          onPressEnter={() => onAnswer(tag.trim())}
          aria-describedby={`${id}help`}
        />
        <small id={`${id}help`}>{t('tagQuestion.help')}</small>
      </div>
    </Modal>
  )
}
