import { Alert, Button } from '@arco-design/web-react'
import { useState } from 'react'
import { api, StatusTag, toast, useAction, useOptions, useStatusStore, useTexts } from '#console'
import { Widget } from './widget.tsx'

const KEY = 'TurnstileCheckEnabled'

/** The switch of the bot check. Both keys are proved first, because with wrong keys nobody could sign in to switch
 *  it off. */
export default function KeysPart() {
  const t = useTexts('turnstile')
  const options = useOptions()
  const siteKey = options.values?.['TurnstileSiteKey'] ?? ''
  const isOn = options.values?.[KEY] === 'true'
  const hasKeys = siteKey !== '' && options.secretsSet.includes('TurnstileSecretKey')
  const [proven, setProven] = useState<string>()
  const [turn, isTurning] = useSwitch(options.refresh)
  return (
    <div className="turnstile-keys">
      <StatusTag tone={isOn ? 'success' : 'off'}>
        {t(isOn ? 'proof.isOn' : 'proof.isOff')}
      </StatusTag>
      {isOn ? (
        <Button loading={isTurning} onClick={() => void turn(false)}>
          {t('proof.switchOff')}
        </Button>
      ) : null}
      {!isOn && !hasKeys ? <p className="muted">{t('proof.keysFirst')}</p> : null}
      {!isOn && hasKeys ? (
        <>
          <Proof key={siteKey} siteKey={siteKey} onProven={() => setProven(siteKey)} />
          <Button
            type="primary"
            disabled={proven !== siteKey}
            loading={isTurning}
            onClick={() => void turn(true)}
          >
            {t('proof.switchOn')}
          </Button>
        </>
      ) : null}
    </div>
  )
}

function useSwitch(refresh: () => Promise<void>) {
  const reloadStatus = useStatusStore(({ load }) => load)
  return useAction(async (isOn: boolean) => {
    await api.put('/api/option/', { key: KEY, value: String(isOn) })
    await Promise.all([refresh(), reloadStatus()])
  })
}

/** The widget shows whether the site key is valid for this address, and its token whether the secret belongs to the
 *  key. */
function Proof({ siteKey, onProven }: { siteKey: string; onProven(): void }) {
  const t = useTexts('turnstile')
  const [round, setRound] = useState(0)
  const [result, setResult] = useState<'asked' | 'waiting' | 'passed'>()
  const [prove] = useAction(async (token: string | undefined) => {
    if (token === undefined) return
    try {
      await api.post('/api/turnstile/check', { token })
      setResult('passed')
      toast.success(t('proof.passed'))
      onProven()
    } catch (error) {
      // A token is valid once, so another try starts with the widget.
      setResult('asked')
      throw error
    }
  })
  if (result === 'passed') return <Alert type="success" content={t('proof.passed')} />
  return (
    <>
      <Button
        onClick={() => {
          setRound(round + 1)
          setResult('waiting')
        }}
      >
        {t('proof.test')}
      </Button>
      {result === 'waiting' ? (
        <>
          <p className="muted">{t('proof.waiting')}</p>
          <Widget key={round} siteKey={siteKey} onToken={(token) => void prove(token)} />
        </>
      ) : null}
    </>
  )
}
