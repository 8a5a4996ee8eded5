import { Alert, Button } from '@arco-design/web-react'
import {
  api,
  confirm,
  role,
  toast,
  useAction,
  useData,
  usePreferences,
  useSession,
  useTexts,
} from '#console'

/** A row of GET /api/oauth/issuers. */
interface Changed {
  provider: string
  name: { en: string; zh: string }
  issuer: string
  fault: string
  others: { issuer: string; accounts: number; stranded: number }[]
}

/** After a sign-in provider was replaced by another one, asks what to do with the bound identities. Otherwise shows nothing. */
export default function IssuersPart() {
  const { data, refresh } = useData<Changed[]>('/api/oauth/issuers')
  return (data ?? []).flatMap(({ others, ...changed }) =>
    others.map((other) => (
      <ChangedIssuer
        key={`${changed.provider} ${other.issuer}`}
        change={{ ...changed, other }}
        onDone={() => void refresh()}
      />
    )),
  )
}

type Change = Omit<Changed, 'others'> & { other: Changed['others'][number] }

function ChangedIssuer({ change, onDone }: { change: Change; onDone(): void }) {
  const t = useTexts('settings')
  const { language } = usePreferences()
  const mayDecide = useSession(({ user }) => (user?.role ?? 0) >= role.root)
  const values = {
    name: change.name[language],
    from: change.other.issuer || '–',
    to: change.issuer,
    accounts: change.other.accounts,
    stranded: change.other.stranded,
  }
  const [decide, isDeciding] = useDecision(change, values, onDone)
  const isFound = change.issuer !== ''
  return (
    <Alert
      className="issuer-alert"
      type="warning"
      title={t('issuers.title', values)}
      content={
        <>
          <p>{t(isFound ? 'issuers.text' : 'issuers.away', { ...values, reason: change.fault })}</p>
          {mayDecide ? null : <p>{t('issuers.rootOnly')}</p>}
          {mayDecide && isFound ? (
            <div className="issuer-choice">
              <Button loading={isDeciding} onClick={() => void decide('keep')}>
                {t('issuers.keep')}
              </Button>
              <Button status="danger" loading={isDeciding} onClick={() => void decide('forget')}>
                {t('issuers.forget')}
              </Button>
            </div>
          ) : null}
        </>
      }
    />
  )
}

function useDecision(
  { provider, issuer, other }: Change,
  values: Record<string, unknown>,
  onDone: () => void,
) {
  const t = useTexts('settings')
  return useAction(async (action: 'keep' | 'forget') => {
    const isSure = await confirm(() => ({
      title: t(`issuers.${action}Title`, values),
      content: t(`issuers.${action}Text`, values),
      confirmLabel: t(`issuers.${action}`),
      isDanger: true,
    }))
    if (!isSure) return
    await api.post('/api/oauth/issuers', { provider, from: other.issuer, to: issuer, action })
    toast.success(t(`issuers.${action}Done`, values))
    onDone()
  })
}
