import { Button } from '@arco-design/web-react'
import {
  api,
  Card,
  confirm,
  formatTime,
  knownDevice,
  type KnownProgram,
  Label,
  Loaded,
  Time,
  toast,
  useAction,
  useData,
  useTexts,
} from '#console'

const apps: readonly KnownProgram[] = [['WeChat', /\bMicroMessenger\//]]

interface Session {
  id: string
  user_agent: string
  address_class: string
  last_used_at: number
  is_current: boolean
}

/** Where the account is signed in; what is not one's own is ended here. */
export function SessionsCard() {
  const t = useTexts('personal')
  const sessions = useData<Session[]>('/api/user/sessions')
  const [endOthers, isEnding] = useAction(async () => {
    const isAgreed = await confirm(() => ({
      title: t('sessions.othersTitle'),
      content: t('sessions.others'),
      confirmLabel: t('sessions.endOthers'),
      isDanger: true,
    }))
    if (!isAgreed) return
    await api.delete('/api/user/sessions')
    toast.success(t('sessions.othersEnded'))
    await sessions.refresh()
  })
  const hasOthers = sessions.data?.some((session) => !session.is_current) ?? false
  return (
    <Card title={t('sessions.title')} hint={t('sessions.hint')}>
      <div className="personal-stack">
        <Loaded from={sessions}>
          {(all) => (
            <ul className="personal-sessions">
              {all.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  onEnd={() => void sessions.refresh()}
                />
              ))}
            </ul>
          )}
        </Loaded>
        {hasOthers ? (
          <div>
            <Button status="danger" loading={isEnding} onClick={() => void endOthers()}>
              {t('sessions.endOthers')}
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const t = useTexts('personal')
  const { user_agent, last_used_at } = session
  // An unknown program is shown by the first word of its name.
  const name =
    knownDevice(user_agent, apps) ??
    (user_agent.split(' ', 1).join('').slice(0, 40) || t('sessions.unknown'))
  const [end, isEnding] = useAction(async () => {
    await api.delete(`/api/user/sessions/${session.id}`)
    toast.success(t('sessions.ended', { name }))
    onEnd()
  })
  return (
    <li>
      <div>
        <div className="personal-name">
          <strong>{name}</strong>
          {session.is_current ? <Label>{t('sessions.current')}</Label> : null}
        </div>
        <div className="muted">
          {session.address_class} {session.address_class ? '· ' : ''}
          <Time seconds={last_used_at} />
        </div>
      </div>
      {session.is_current ? null : (
        <Button
          size="small"
          loading={isEnding}
          // Several sessions of one browser are told apart by their time, which stands beside the button.
          aria-label={t('sessions.endNamed', { name: `${name}, ${formatTime(last_used_at)}` })}
          onClick={() => void end()}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
