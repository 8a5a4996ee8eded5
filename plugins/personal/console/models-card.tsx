import { Button } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  Card,
  CopyLabel,
  EmptyState,
  Loaded,
  readStored,
  useCanVisit,
  useOwnModels,
  useTexts,
  writeStored,
} from '#console'

const EXPANDED = 'modelsExpanded'
const MOST_FOLDED = 20
/** Of the rest the price list tells, which can be searched. */
const MOST_SHOWN = 300

/** The models that the account can call, by the names that requests use. */
export function ModelsCard() {
  const t = useTexts('personal')
  const models = useOwnModels()
  return (
    <Card title={t('models.title')} hint={t('models.hint')}>
      <Loaded from={models}>{(names) => <ModelNames names={names} />}</Loaded>
    </Card>
  )
}

function ModelNames({ names }: { names: readonly string[] }) {
  const t = useTexts('personal')
  const id = useId()
  const [isExpanded, setExpanded] = useState(() => readStored(EXPANDED) === 'true')
  const toggle = () => {
    writeStored(EXPANDED, String(!isExpanded))
    setExpanded(!isExpanded)
  }
  if (names.length === 0) return <EmptyState title={t('models.none')} hint={t('models.noneHint')} />
  const shown = names.slice(0, isExpanded ? MOST_SHOWN : MOST_FOLDED)
  return (
    <div className="personal-stack">
      <ul className="personal-models" id={id}>
        {shown.map((name) => (
          <li key={name}>
            <CopyLabel text={name} message={t('models.copied', { name })} />
          </li>
        ))}
      </ul>
      {isExpanded ? <Further count={names.length - shown.length} /> : null}
      {names.length > MOST_FOLDED ? (
        <div>
          <Button size="small" aria-expanded={isExpanded} aria-controls={id} onClick={toggle}>
            {isExpanded ? t('models.fewer') : t('models.all', { count: names.length })}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function Further({ count }: { count: number }) {
  const t = useTexts('personal')
  const canVisit = useCanVisit('/pricing')
  if (count <= 0) return null
  return (
    <p className="muted">
      {t('models.further', { count })}{' '}
      {canVisit ? <Link to="/pricing">{t('models.pricing')}</Link> : null}
    </p>
  )
}
