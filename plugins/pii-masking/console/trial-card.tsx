import { Button, Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { api, Card, useAction, useTexts, useUnsaved } from '#console'
import { countedKinds, LONGEST_TRIAL, type Trial } from '../schema.ts'

/** Shows what an upstream would read of a text under the saved rules. */
export function TrialCard() {
  const t = useTexts('pii-masking')
  const id = useId()
  const [text, setText] = useState('')
  useUnsaved(text !== '')
  const [trial, setTrial] = useState<Trial>()
  const [run, isRunning] = useAction(async () => {
    setTrial(await api.post<Trial>('/api/pii-masking/try', { text }))
  })
  return (
    <Card title={t('trial.title')} hint={t('trial.hint')}>
      <label htmlFor={id} className="visually-hidden">
        {t('trial.text')}
      </label>
      <Input.TextArea
        id={id}
        value={text}
        onChange={setText}
        maxLength={LONGEST_TRIAL}
        placeholder={t('trial.placeholder')}
        autoSize={{ minRows: 3, maxRows: 10 }}
      />
      <p className="masking-actions">
        <Button
          type="primary"
          disabled={text === ''}
          loading={isRunning}
          onClick={() => void run()}
        >
          {t('trial.run')}
        </Button>
      </p>
      {trial ? (
        <div aria-live="polite">
          <p>{wordsOf(trial, t)}</p>
          <pre className="masking-result" tabIndex={0} aria-label={t('trial.result')}>
            {trial.text}
          </pre>
        </div>
      ) : null}
    </Card>
  )
}

function wordsOf({ kinds }: Trial, t: ReturnType<typeof useTexts>): string {
  const found = countedKinds.flatMap((kind) => {
    const count = kinds[kind]
    return count === undefined ? [] : [`${t(`kind.${kind}`)} ${count}`]
  })
  return found.length === 0 ? t('trial.none') : t('trial.found', { kinds: found.join(' · ') })
}
