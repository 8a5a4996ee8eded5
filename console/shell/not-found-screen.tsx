import { Link } from 'react-router-dom'
import { useTexts } from '../texts/use-texts.ts'
import { usePageTitle } from './use-page-title.ts'

export function NotFoundScreen() {
  const t = useTexts()
  usePageTitle(t('notFound.title'))
  return (
    <div className="not-found">
      <p className="not-found-code" aria-hidden>
        404
      </p>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Link className="button-link" to="/">
        {t('notFound.home')}
      </Link>
    </div>
  )
}
