import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import {
  api,
  Card,
  ErrorState,
  Loading,
  StatusTag,
  toast,
  useAction,
  useData,
  useTexts,
} from '#console'
import { CodeDialog, RecoveryDialog, SetupDialog, type FactorSetup } from './factor-dialogs.tsx'

interface FactorStatus {
  enabled: boolean
  backup_codes_remaining: number
}

type Step = 'disable' | 'renew'

/** The authenticator that is asked for at every sign-in. */
export function FactorCard() {
  const t = useTexts('personal')
  const { data, error, refresh } = useData<FactorStatus>('/api/user/2fa/status')
  const [setup, setSetup] = useState<FactorSetup>()
  const [step, setStep] = useState<Step>()
  const [codes, setCodes] = useState<string[]>()
  const [begin, isBeginning] = useAction(async () =>
    setSetup(await api.post<FactorSetup>('/api/user/2fa/setup', {})),
  )
  const finish = async (words: string) => {
    setSetup(undefined)
    setStep(undefined)
    toast.success(words)
    await refresh()
  }
  const prove = async (code: string) => {
    if (step === 'renew') {
      const made = await api.post<{ backup_codes: string[] }>('/api/user/2fa/backup_codes', {
        code,
      })
      setStep(undefined)
      setCodes(made.backup_codes)
      return refresh()
    }
    await api.post('/api/user/2fa/disable', { code })
    await finish(t('factor.disabled'))
  }
  return (
    <Card title={t('factor.title')} hint={t('factor.hint')}>
      {error ? <ErrorState message={error.message} onRetry={() => void refresh()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <div className="personal-line">
          <StatusTag tone={data.enabled ? 'success' : 'off'}>
            {t(data.enabled ? 'factor.on' : 'factor.off')}
          </StatusTag>
          {data.enabled ? (
            <>
              <span className="muted">
                {t('factor.left', { count: data.backup_codes_remaining })}
              </span>
              <Button onClick={() => setStep('renew')}>{t('factor.renew')}</Button>
              <Button status="danger" onClick={() => setStep('disable')}>
                {t('factor.disable')}
              </Button>
            </>
          ) : (
            <Button loading={isBeginning} onClick={() => void begin()}>
              {t('factor.setUp')}
            </Button>
          )}
        </div>
      ) : null}
      {setup ? (
        <SetupDialog
          setup={setup}
          onClose={() => setSetup(undefined)}
          onCode={async (code) => {
            await api.post('/api/user/2fa/enable', { code })
            await finish(t('factor.enabled'))
          }}
        />
      ) : null}
      {step ? (
        <CodeDialog title={t(`factor.${step}`)} onCode={prove} onClose={() => setStep(undefined)} />
      ) : null}
      {codes ? <RecoveryDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </Card>
  )
}
