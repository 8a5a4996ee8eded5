import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { api, Details, RichText, Time, toast, useAction, useStatus, useTexts } from '#console'

interface Release {
  tag_name: string
  body: string
}

/** The running version, its start time, and whether a newer version exists. */
export default function VersionPart() {
  const t = useTexts('settings')
  const status = useStatus()
  const [release, setRelease] = useState<Release>()
  const hasAddress = Boolean(status?.['release_url'])
  const [check, isChecking] = useAction(async () => {
    const found = await api.get<Release>('/api/setting/release')
    if (sameVersion(found.tag_name, status?.version ?? '')) {
      setRelease(undefined)
      return toast.success(t('version.latest', { version: found.tag_name }))
    }
    setRelease(found)
  })
  return (
    <div>
      <Details
        items={[
          { label: t('version.running'), value: <code>{status?.version}</code> },
          { label: t('version.started'), value: <Time seconds={status?.start_time ?? 0} /> },
        ]}
      />
      {hasAddress ? (
        <Button loading={isChecking} onClick={() => void check()}>
          {t('version.check')}
        </Button>
      ) : (
        <p className="schema-help">{t('version.noAddress')}</p>
      )}
      {release ? (
        <div className="version-notes" role="status">
          <h3>{t('version.newer', { version: release.tag_name })}</h3>
          <RichText text={release.body} />
        </div>
      ) : null}
    </div>
  )
}

function sameVersion(left: string, right: string): boolean {
  return left.replace(/^v/, '') === right.replace(/^v/, '')
}
