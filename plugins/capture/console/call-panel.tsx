import { Alert } from '@arco-design/web-react'
import { useState } from 'react'
import { CopyButton, Details, Loaded, SidePanel, Tabs, Time, useData, useTexts } from '#console'
import type { CallEntry, CapturedCall } from '../schema.ts'
import { turnsOf } from './turns.ts'

/** The texts of a call. They are fetched when the panel opens and not before, because each reading is logged. */
export function CallPanel({ call, onClose }: { call: CallEntry | undefined; onClose: () => void }) {
  const t = useTexts('capture')
  return (
    <SidePanel
      title={t('panel.title', { id: call?.id ?? '' })}
      isOpen={call !== undefined}
      onClose={onClose}
      size="wide"
    >
      {call ? <Said id={call.id} /> : null}
    </SidePanel>
  )
}

function Said({ id }: { id: number }) {
  // Kept as long as the panel is there: going to and fro is one reading.
  const call = useData<CapturedCall>(`/api/capture/calls/${id}`, {
    staleMs: Number.POSITIVE_INFINITY,
  })
  return <Loaded from={call}>{(read) => <WholeCall call={read} />}</Loaded>
}

function WholeCall({ call }: { call: CapturedCall }) {
  const t = useTexts('capture')
  const [view, setView] = useState('text')
  const json = JSON.stringify(call.texts, null, 2)
  return (
    <div className="capture-said">
      <p className="muted">{t('panel.logged')}</p>
      {call.is_cut ? <Alert type="warning" content={t('panel.cut')} /> : null}
      <Facts call={call} />
      <Tabs
        label={t('panel.view')}
        active={view}
        onChange={setView}
        items={[
          { id: 'text', title: t('panel.text'), content: <Texts call={call} /> },
          {
            id: 'json',
            title: 'JSON',
            content: (
              <>
                <CopyButton text={json} label={t('panel.copy')} message={t('panel.copied')} />
                <pre className="capture-json" tabIndex={0} aria-label="JSON">
                  {json}
                </pre>
              </>
            ),
          },
        ]}
      />
    </div>
  )
}

function Facts({ call }: { call: CapturedCall }) {
  const t = useTexts('capture')
  return (
    <Details
      items={[
        { label: t('column.time'), value: <Time seconds={call.created_at} /> },
        { label: t('column.user'), value: String(call.user_id) },
        {
          label: t('column.token'),
          value: call.token_id === 0 ? t('noToken') : String(call.token_id),
        },
        { label: t('column.model'), value: call.model },
        { label: t('column.status'), value: String(call.status) },
        { label: t('column.request'), value: call.request_id },
      ]}
    />
  )
}

function Texts({ call: { texts } }: { call: CapturedCall }) {
  const t = useTexts('capture')
  const questions = turnsOf(texts.request)
  const answered = turnsOf(texts.answer)
  return (
    <div className="capture-turns">
      <h3>{t('panel.request')}</h3>
      {questions.map(({ who, text }, at) => (
        <TurnText key={at} who={who} text={text} />
      ))}
      <h3>{t('panel.answer')}</h3>
      {answered.map(({ who, text }, at) => (
        <TurnText key={at} who={who} text={text} />
      ))}
      {answered.length === 0 ? (
        <p className="muted">{texts.error?.message ?? t('panel.noAnswer')}</p>
      ) : null}
    </div>
  )
}

function TurnText({ who, text }: { who: string; text: string }) {
  return (
    <div className="capture-turn">
      <span className="muted">{who}</span>
      <p>{text}</p>
    </div>
  )
}
