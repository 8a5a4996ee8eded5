import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Page, Tabs, useTexts } from '#console'
import { CallsTab } from './calls-tab.tsx'
import { SubjectsTab } from './subjects-tab.tsx'
import './capture.css'

export default function CaptureScreen() {
  const t = useTexts('capture')
  const [tab, setTab] = useState('calls')
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<Link to="/setting?tab=operation#capture">{t('toSettings')}</Link>}
    >
      <Tabs
        label={t('title')}
        active={tab}
        onChange={setTab}
        items={[
          {
            id: 'calls',
            title: t('tab.calls'),
            content: tab === 'calls' ? <CallsTab onSwitchOn={() => setTab('subjects')} /> : null,
          },
          {
            id: 'subjects',
            title: t('tab.subjects'),
            content: tab === 'subjects' ? <SubjectsTab /> : null,
          },
        ]}
      />
    </Page>
  )
}
