import { Button, Input } from '@arco-design/web-react'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { Dialog, useTexts } from '#console'

/** Asks for one tag. Taking it away is a button of its own, and resolves to the empty text. */
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
  const [isFaulty, setFaulty] = useState(false)
  const set = () => (tag.trim() === '' ? setFaulty(true) : onAnswer(tag.trim()))
  return (
    <Dialog
      title={t('tagQuestion.title')}
      footer={
        <>
          <Button type="text" onClick={() => onAnswer('')}>
            {t('tagQuestion.clear')}
          </Button>
          <Button onClick={() => onAnswer(undefined)}>{t('cancel')}</Button>
          <Button type="primary" onClick={set}>
            {t('tagQuestion.set')}
          </Button>
        </>
      }
      onClose={() => onAnswer(undefined)}
    >
      <div className="channel-question">
        <label htmlFor={id}>{t('field.tag')}</label>
        <Input
          id={id}
          value={tag}
          error={isFaulty}
          onChange={(value) => {
            setTag(value)
            setFaulty(false)
          }}
          onPressEnter={set}
          aria-describedby={`${id}help`}
          aria-invalid={isFaulty}
        />
        <small id={`${id}help`} role={isFaulty ? 'alert' : undefined}>
          {t(isFaulty ? 'tagQuestion.empty' : 'tagQuestion.help')}
        </small>
      </div>
    </Dialog>
  )
}
