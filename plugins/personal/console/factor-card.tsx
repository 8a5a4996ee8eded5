import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { api, Card, Loaded, StatusTag, toast, useAction, useData, useTexts } from '#console'
import { CodeDialog, RecoveryDialog, SetupDialog, type FactorSetup } from './factor-dialogs.tsx'

interface FactorStatus {
  enabled: boolean
  backup_codes_remaining: number
}

type Step = 'disable' | 'renew'

/** The authenticator that is asked for at every sign-in. */
export function FactorCard() {
  const t = useTexts('personal')
  const status = useData<FactorStatus>('/api/user/2fa/status')
  const factor = useFactor(status.refresh)
  const { setup, step, codes } = factor
  return (
    <Card title={t('factor.title')} hint={t('factor.hint')}>
      <Loaded from={status}>
        {(found) => <FactorLine status={found} onBegin={factor.begin} onStep={factor.setStep} />}
      </Loaded>
      {setup ? (
        <SetupDialog
          setup={setup}
          onClose={() => factor.setSetup(undefined)}
          onCode={factor.enable}
        />
      ) : null}
      {step ? (
        <CodeDialog
          title={t(`factor.${step}`)}
          onCode={factor.prove}
          onClose={() => factor.setStep(undefined)}
        />
      ) : null}
      {codes ? <RecoveryDialog codes={codes} onClose={() => factor.setCodes(undefined)} /> : null}
    </Card>
  )
}

/** Which dialog is open, and what a code typed into it does. */
function useFactor(refresh: () => Promise<void>) {
  const t = useTexts('personal')
  const [setup, setSetup] = useState<FactorSetup>()
  const [step, setStep] = useState<Step>()
  const [codes, setCodes] = useState<string[]>()
  const finish = async (words: string) => {
    setSetup(undefined)
    setStep(undefined)
    toast.success(words)
    await refresh()
  }
  return {
    setup,
    setSetup,
    step,
    setStep,
    codes,
    setCodes,
    begin: async () => setSetup(await api.post<FactorSetup>('/api/user/2fa/setup', {})),
    enable: async (code: string) => {
      await api.post('/api/user/2fa/enable', { code })
      await finish(t('factor.enabled'))
    },
    prove: async (code: string) => {
      if (step === 'renew') {
        const path = '/api/user/2fa/backup_codes'
        const made = await api.post<{ backup_codes: string[] }>(path, { code })
        setStep(undefined)
        setCodes(made.backup_codes)
        return refresh()
      }
      await api.post('/api/user/2fa/disable', { code })
      await finish(t('factor.disabled'))
    },
  }
}

function FactorLine({
  status,
  onBegin,
  onStep,
}: {
  status: FactorStatus
  onBegin(): Promise<void>
  onStep(step: Step): void
}) {
  const t = useTexts('personal')
  const [begin, isBeginning] = useAction(onBegin)
  return (
    <div className="personal-line">
      <StatusTag tone={status.enabled ? 'success' : 'off'}>
        {t(status.enabled ? 'factor.on' : 'factor.off')}
      </StatusTag>
      {status.enabled ? (
        <>
          <span className="muted">
            {t('factor.left', { count: status.backup_codes_remaining })}
          </span>
          <Button onClick={() => onStep('renew')}>{t('factor.renew')}</Button>
          <Button status="danger" onClick={() => onStep('disable')}>
            {t('factor.disable')}
          </Button>
        </>
      ) : (
        <Button loading={isBeginning} onClick={() => void begin()}>
          {t('factor.setUp')}
        </Button>
      )}
    </div>
  )
}
