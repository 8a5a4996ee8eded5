import { Link } from 'react-router-dom'
import {
  Card,
  CopyButton,
  EmptyState,
  ModelName,
  useIsAdmin,
  useOwnModels,
  useTexts,
} from '#console'

/** How many models are named before the rest is folded. */
const shownModels = 12

export default function Models() {
  const t = useTexts('overview')
  const isAdmin = useIsAdmin()
  const models = useOwnModels()
  if (!models.data) return null
  const names = models.data
  const rest = names.length - shownModels
  return (
    <Card
      title={t('models.title')}
      hint={t('models.hint', { count: names.length })}
      actions={
        names.length > 0 ? (
          <CopyButton text={names.join('\n')} label={t('models.copyAll')} />
        ) : undefined
      }
    >
      {names.length === 0 ? (
        <EmptyState
          title={t('models.none')}
          hint={t(isAdmin ? 'models.noneAdmin' : 'models.noneUser')}
          action={
            isAdmin ? (
              <Link className="button-link" to="/channel/add">
                {t('checklist.channelAction')}
              </Link>
            ) : undefined
          }
        />
      ) : (
        <ul className="own-models">
          {names.slice(0, shownModels).map((name) => (
            <li key={name}>
              <ModelName name={name} />
            </li>
          ))}
          {rest > 0 ? <li className="muted">+{rest}</li> : null}
        </ul>
      )}
    </Card>
  )
}
