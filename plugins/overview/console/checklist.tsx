import { IconCheckCircleFill } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  Card,
  formatDuration,
  formatWholeQuota,
  mayAccess,
  useQuotaStyle,
  useRegistry,
  useSession,
  useTexts,
} from '#console'
import type { Checklist, LastCall } from '../schema.ts'
import { useAdminOverview } from './use-overview.ts'

const steps = ['channel', 'price', 'token', 'call'] as const
type Step = (typeof steps)[number]

const places: Record<Step, string> = {
  channel: '/channel/add',
  price: '/setting?prices=unset_models#prices',
  token: '/token',
  call: '/playground',
}

/** The steps from an empty gateway to its first call, which appears as soon as it arrives. The card is gone on the
 *  next visit after all steps are done. */
export default function ChecklistWidget() {
  const { data } = useAdminOverview()
  const done = data && {
    channel: data.checklist.channel,
    price: data.checklist.price,
    token: data.checklist.token,
    call: data.checklist.call,
  }
  const isDone = done !== undefined && steps.every((step) => done[step])
  const [wasDone] = useState(isDone)
  if (!done || wasDone) return null
  return <Steps done={done} checklist={data.checklist} />
}

function Steps({ done, checklist }: { done: Record<Step, boolean>; checklist: Checklist }) {
  const t = useTexts('overview')
  const next = steps.find((step) => !done[step])
  const screens = useRegistry((registry) => registry.screens)
  const user = useSession((session) => session.user)
  const hasScreen = (path: string) =>
    screens.some(
      ({ path: own, access = 'user' }) => own === path.split('?')[0] && mayAccess(user, access),
    )
  const { last_call: call } = checklist
  const unpriced = done.price ? checklist.unpriced : 0
  const isNeeded = (step: Step) => !done[step] || (step === 'price' && unpriced > 0)
  return (
    <Card title={t('checklist.title')} hint={t('checklist.hint')}>
      <ol className="checklist">
        {steps.map((step, at) => (
          <li key={step} data-state={done[step] ? 'done' : step === next ? 'next' : 'later'}>
            <span className="checklist-mark" aria-hidden>
              {done[step] ? <IconCheckCircleFill /> : at + 1}
            </span>
            <div>
              <p className="checklist-name">
                {t(`checklist.${step}`)}
                <span className="visually-hidden">
                  {` ${t(done[step] ? 'checklist.done' : 'checklist.open')}`}
                </span>
              </p>
              <p className="muted">
                {step === 'price' && unpriced > 0
                  ? t('checklist.unpriced', { count: unpriced })
                  : t(`checklist.${step}Hint`)}
              </p>
            </div>
            {isNeeded(step) && hasScreen(places[step]) ? (
              <Link className={`button-link ${step === next ? '' : 'is-quiet'}`} to={places[step]}>
                {t(`checklist.${step}Action`)}
              </Link>
            ) : null}
          </li>
        ))}
      </ol>
      <p className="checklist-news" role="status">
        {call ? <Arrived call={call} /> : next === 'call' ? t('checklist.waiting') : ''}
      </p>
    </Card>
  )
}

function Arrived({ call }: { call: LastCall }) {
  const t = useTexts('overview')
  const style = useQuotaStyle()
  const words = {
    model: call.model_name,
    token: call.token_name,
    duration: formatDuration(call.use_time_ms),
    cost: formatWholeQuota(call.quota, style),
  }
  return (
    <>
      {t('checklist.arrived', words)} <Link to="/log">{t('checklist.seeLog')}</Link>
    </>
  )
}
