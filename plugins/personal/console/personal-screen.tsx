import { useRef } from 'react'
import {
  AccountBindings,
  Card,
  ErrorState,
  formatExact,
  Label,
  LeaveGuard,
  Loading,
  type OwnAccount,
  Page,
  Quota,
  role,
  useLeaveQuestion,
  useOwnAccount,
  useTexts,
} from '#console'
import { AccountCard } from './account-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { FactorCard } from './factor-card.tsx'
import { InviteCard } from './invite-card.tsx'
import { ModelsCard } from './models-card.tsx'
import { NotificationCard } from './notification-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TokenCard } from './token-card.tsx'
import './personal.css'

export default function PersonalScreen() {
  const t = useTexts('personal')
  const { data, error, refresh } = useOwnAccount()
  const { hasChanges, setChanged } = useLeaveQuestion()
  const edited = useRef(new Set<string>())
  // If the account cannot be loaded again, typed values stay.
  if (!data) {
    if (!error) return <Loading />
    return <ErrorState message={error.message} onRetry={() => void refresh()} />
  }
  const onEdited = (name: string, isEdited: boolean) => {
    if (isEdited) edited.current.add(name)
    else edited.current.delete(name)
    setChanged(edited.current.size > 0)
  }
  const card = { own: data, onChange: refresh, onEdited }
  return (
    <Page title={t('title')} hint={t('hint')} width="text">
      <LeaveGuard hasChanges={hasChanges} />
      <div className="personal">
        <Figures own={data} />
        <div className="personal-column">
          <AccountCard {...card} />
          <Card title={t('bindings.title')} hint={t('bindings.hint')}>
            <AccountBindings />
          </Card>
          <FactorCard />
          <SessionsCard />
        </div>
        <div className="personal-column">
          <InviteCard own={data} onChange={refresh} />
          <NotificationCard {...card} />
          <TokenCard />
          <ModelsCard />
          {data.role >= role.root ? null : <DeleteCard own={data} />}
        </div>
      </div>
    </Page>
  )
}

function Figures({ own }: { own: OwnAccount }) {
  const t = useTexts('personal')
  return (
    <Card className="personal-wide">
      <div className="personal-stack">
        <div className="personal-name">
          <strong>{own.display_name || own.username}</strong>
          <span className="muted">
            {own.username} · {t('figures.id', { id: own.id })}
          </span>
          {own.role >= role.root ? <Label>{t('figures.root')}</Label> : null}
          {own.role >= role.admin && own.role < role.root ? (
            <Label>{t('figures.admin')}</Label>
          ) : null}
        </div>
        <dl className="personal-figures">
          <div>
            <dt>{t('figures.balance')}</dt>
            <dd>
              <Quota units={own.quota} />
            </dd>
          </div>
          <div>
            <dt>{t('figures.used')}</dt>
            <dd>
              <Quota units={own.used_quota} />
            </dd>
          </div>
          <div>
            <dt>{t('figures.calls')}</dt>
            <dd className="number">{formatExact(own.request_count)}</dd>
          </div>
          <div>
            <dt>{t('figures.group')}</dt>
            <dd>{own.group}</dd>
          </div>
        </dl>
      </div>
    </Card>
  )
}
