import { Button } from '@arco-design/web-react'
import { useId, useState } from 'react'
import {
  api,
  Card,
  copyText,
  ErrorState,
  formatWholeQuota,
  Quota,
  QuotaInput,
  toast,
  useAction,
  useData,
  useQuotaStyle,
  useTexts,
} from '#console'
import type { CardOf } from './own.ts'

/** The invite link, what it earned, and the way of the earnings into the balance. */
export function InviteCard({ own, onChange }: Omit<CardOf, 'onEdited'>) {
  const t = useTexts('personal')
  const { data: code, error, refresh } = useData<string>('/api/user/aff')
  const link = code === undefined ? '' : `${window.location.origin}/register?aff=${code}`
  return (
    <Card title={t('invite.title')} hint={t('invite.hint')}>
      <div className="personal-stack">
        {error && code === undefined ? (
          <ErrorState message={error.message} onRetry={() => void refresh()} />
        ) : (
          <div className="personal-line">
            <code>{link}</code>
            <Button disabled={link === ''} onClick={() => void copyText(link, t('invite.copied'))}>
              {t('invite.copy')}
            </Button>
          </div>
        )}
        <dl className="personal-figures">
          <div>
            <dt>{t('invite.count')}</dt>
            <dd className="number">{own.aff_count}</dd>
          </div>
          <div>
            <dt>{t('invite.pending')}</dt>
            <dd>
              <Quota units={own.aff_quota} />
            </dd>
          </div>
          <div>
            <dt>{t('invite.total')}</dt>
            <dd>
              <Quota units={own.aff_history_quota} />
            </dd>
          </div>
        </dl>
        <Transfer own={own} onChange={onChange} />
      </div>
    </Card>
  )
}

function Transfer({ own, onChange }: Omit<CardOf, 'onEdited'>) {
  const t = useTexts('personal')
  const id = useId()
  const style = useQuotaStyle()
  const minimum = style.quotaPerUnit
  const [units, setUnits] = useState<number>()
  const [transfer, isRunning] = useAction(async () => {
    if (units === undefined || Number.isNaN(units) || units < minimum)
      return toast.warning(t('invite.minimum', { amount: formatWholeQuota(minimum, style) }))
    if (units > own.aff_quota) return toast.warning(t('invite.tooMuch'))
    await api.post('/api/user/aff_transfer', { quota: units })
    toast.success(t('invite.moved'))
    setUnits(undefined)
    await onChange()
  })
  if (own.aff_quota < minimum)
    return (
      <p className="muted">{t('invite.notYet', { amount: formatWholeQuota(minimum, style) })}</p>
    )
  return (
    <div className="schema-field">
      <label htmlFor={id}>{t('invite.amount')}</label>
      <div className="personal-line">
        <QuotaInput id={id} value={units} onChange={setUnits} disabled={isRunning} />
        <Button onClick={() => setUnits(own.aff_quota)}>{t('invite.all')}</Button>
        <Button loading={isRunning} onClick={() => void transfer()}>
          {t('invite.transfer')}
        </Button>
      </div>
      <p className="schema-help">
        {t('invite.help', { amount: formatWholeQuota(minimum, style) })}
      </p>
    </div>
  )
}
