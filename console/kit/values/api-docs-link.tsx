import { IconBook } from '@arco-design/web-react/icon'
import { useStatus } from '../../stores/status.ts'
import { useTexts } from '../../texts/use-texts.ts'

/** To the page that describes the calls of this gateway, while there is one. */
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
