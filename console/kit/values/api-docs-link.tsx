import { IconBook } from '@arco-design/web-react/icon'
import { useStatus } from '../../stores/status.ts'
import { useTexts } from '../../texts/use-texts.ts'

/** Links to the API reference of this gateway, if that is on. */
export function ApiDocsLink() {
  const t = useTexts()
  const path = useStatus()?.['api_docs_path']
  if (typeof path !== 'string' || !/^\/\w/.test(path)) return null
  return (
    <a className="api-docs-link" href={path} target="_blank" rel="noopener">
      <IconBook aria-hidden /> {t('shell.apiDocs')}
    </a>
  )
}
