import { serverAddressOf, useStatus } from '../../stores/status.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { CopyButton } from './copy.tsx'

/** What OpenAI's clients call the base URL, to be copied. */
export function BaseUrl() {
  const t = useTexts()
  const address = `${serverAddressOf(useStatus())}/v1`
  return (
    <dl className="base-url">
      <dt>{t('baseUrl.label')}</dt>
      <dd>
        <code>{address}</code>
        <CopyButton text={address} label={t('baseUrl.copy')} />
      </dd>
    </dl>
  )
}
