import { Alert, Button } from '@arco-design/web-react'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  api,
  Card,
  FactorBindings,
  Page,
  useAction,
  useData,
  useSession,
  useStatus,
  useTexts,
} from '#console'
import { FactorCard } from './factor-card.tsx'
import './personal.css'

/** Where an admin who must have a second factor is led to before anything else. */
export default function FactorScreen() {
  const t = useTexts('personal')
  const navigate = useNavigate()
  const hasFactor = useHasFactor()
  const mayAddPasskeys = useStatus()?.['passkey_login'] === true
  useWayBack(hasFactor)
  const [leave, isLeaving] = useAction(async () => {
    await api.get('/api/user/logout')
    useSession.getState().signOut()
    await navigate('/login')
  })
  return (
    <Page title={t('needed.title')} hint={t('needed.hint')} width="text">
      <div className="personal-stack">
        <Alert
          // Keeps its room while nothing is known, so that nothing moves under the pointer.
          style={hasFactor === undefined ? { visibility: 'hidden' } : {}}
          type={hasFactor ? 'success' : 'warning'}
          content={t(hasFactor ? 'needed.done' : 'needed.text')}
        />
        <FactorCard />
        {mayAddPasskeys ? (
          <Card title={t('needed.passkeys')} hint={t('needed.passkeysHint')}>
            <FactorBindings />
          </Card>
        ) : null}
        <div className="personal-line">
          <Button
            type="primary"
            disabled={hasFactor === false}
            onClick={() => void navigate('/token')}
          >
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

/** Undefined while that is not known. Both are read anew by what adds a factor. */
function useHasFactor(): boolean | undefined {
  const codes = useData<{ enabled: boolean }>('/api/user/2fa/status').data
  const keys = useData<{ passkeys: unknown[] }>('/api/user/passkey').data
  if (!codes || !keys) return undefined
  return codes.enabled || keys.passkeys.length > 0
}

/** Whom the server lets do everything without a second factor came here by an old link: it is asked of nobody, or not of him. */
function useWayBack(hasFactor: boolean | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (hasFactor !== false) return
    const abort = new AbortController()
    api.get('/api/user/notifiers', { isQuiet: true, signal: abort.signal }).then(
      () => navigate('/personal', { replace: true }),
      () => undefined,
    )
    return () => abort.abort()
  }, [hasFactor, navigate])
}
