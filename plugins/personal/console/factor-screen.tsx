import { Alert, Button } from '@arco-design/web-react'
import { useNavigate } from 'react-router-dom'
import { api, Card, FactorBindings, Page, useAction, useSession, useTexts } from '#console'
import { FactorCard } from './factor-card.tsx'
import './personal.css'

/** Where an admin who must have a second factor is led to before anything else. */
export default function FactorScreen() {
  const t = useTexts('personal')
  const navigate = useNavigate()
  const [leave, isLeaving] = useAction(async () => {
    await api.get('/api/user/logout')
    useSession.getState().signOut()
    await navigate('/login')
  })
  return (
    <Page title={t('needed.title')} hint={t('needed.hint')} width="text">
      <div className="personal-stack">
        <Alert type="warning" content={t('needed.text')} />
        <FactorCard />
        <Card title={t('needed.passkeys')} hint={t('needed.passkeysHint')}>
          <FactorBindings />
        </Card>
        <div className="personal-line">
          <Button type="primary" onClick={() => void navigate('/token')}>
            {t('needed.go')}
          </Button>
          <Button loading={isLeaving} onClick={() => void leave()}>
            {t('needed.leave')}
          </Button>
        </div>
      </div>
    </Page>
  )
}
