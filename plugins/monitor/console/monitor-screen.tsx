import { Link } from 'react-router-dom'
import { EmptyState, Frame, useCanVisit, useStatus, useTexts } from '#console'
import { isOwnPath, siteOf } from './site.ts'
import './monitor.css'

export default function MonitorScreen() {
  const t = useTexts('monitor')
  const canSet = useCanVisit('/setting')
  const site = siteOf(useStatus()?.['monitor_link'])
  if (!site) {
    return (
      <EmptyState
        isPage
        title={t('none')}
        hint={t(canSet ? 'noneAdmin' : 'noneHint')}
        action={
          canSet ? (
            <Link className="button-link" to="/setting?tab=operation#general">
              {t('toSettings')}
            </Link>
          ) : null
        }
      />
    )
  }
  // A secure page may only frame secure pages.
  if (!site.startsWith('https:') && !isOwnPath(site)) {
    return (
      <EmptyState
        isPage
        title={t('unframed')}
        action={
          <a className="button-link" href={site} target="_blank" rel="noopener noreferrer">
            {t('open')}
          </a>
        }
      />
    )
  }
  return (
    <div className="monitor">
      <h1 className="visually-hidden">{t('title')}</h1>
      <Frame address={site} title={t('title')} />
    </div>
  )
}
