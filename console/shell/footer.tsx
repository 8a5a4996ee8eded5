import { RichText } from '../kit/values/html.tsx'
import { useStatus } from '../stores/status.ts'
import { useTexts } from '../texts/use-texts.ts'

/** The operator's footer, or one quiet line. */
export function Footer() {
  const t = useTexts()
  const status = useStatus()
  if (!status) return null
  return (
    <footer className="footer">
      {status.footer_html ? (
        <RichText text={status.footer_html} isHtml />
      ) : (
        t('shell.footer', { name: status.system_name || 'Tollgate', version: status.version ?? '' })
      )}
    </footer>
  )
}
