import { Alert, Button } from '@arco-design/web-react'
import { useState } from 'react'
import './check.css'
import { api, Details, messageOf, useAction, useOptions, useTexts } from '#console'

/** What POST /api/oidc/discovery finds. */
type Found = Record<(typeof fields)[number], string>

const fields = ['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const

/** Fetches the provider's configuration as a sign-in would, and shows what it names or why it cannot be fetched. */
export default function CheckPart() {
  const t = useTexts('auth-oidc')
  const { values } = useOptions()
  const wellKnown = values?.['oidc.well_known'] ?? ''
  const [found, setFound] = useState<Found>()
  const [fault, setFault] = useState<string>()
  const [check, isChecking] = useAction(async () => {
    setFound(undefined)
    setFault(undefined)
    try {
      const body = { well_known: wellKnown }
      setFound(await api.post<Found>('/api/oidc/discovery', body, { isQuiet: true }))
    } catch (error) {
      setFault(messageOf(error))
    }
  })
  if (wellKnown === '') return <p className="muted">{t('check.save')}</p>
  return (
    <div className="oidc-check">
      <Button loading={isChecking} onClick={() => void check()}>
        {t('check.button')}
      </Button>
      {fault === undefined ? null : <Alert type="error" content={fault} />}
      {found ? (
        <Details
          items={fields.map((field) => ({
            label: t(`check.${field}`),
            value: found[field] || '–',
          }))}
        />
      ) : null}
    </div>
  )
}
