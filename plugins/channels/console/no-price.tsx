import { Link } from 'react-router-dom'
import { Hint, useRegistry, useTexts } from '#console'

/** The screen of the options, where prices are set. A console without it shows the remark alone. */
const OPTIONS_PATH = '/setting'
const UNPRICED_PATH = `${OPTIONS_PATH}?prices=unset_models#prices`

/** A quiet remark that these models have no price yet; nothing where all have one. */
export function NoPrice({ names, isNamed }: { names: readonly string[]; isNamed?: boolean }) {
  const t = useTexts('channels')
  const hasOptions = useRegistry(({ screens }) => screens.some(({ path }) => path === OPTIONS_PATH))
  if (names.length === 0) return null
  // Beside its own name a model need not be named again.
  const words = isNamed ? t('price.none') : t('price.noneOf', { count: names.length })
  const hint = isNamed ? t('price.hint') : `${names.join(', ')}. ${t('price.hint')}`
  return (
    <Hint text={hint}>
      {hasOptions ? (
        <Link className="label" to={UNPRICED_PATH}>
          {words}
        </Link>
      ) : (
        <span className="label" tabIndex={0}>
          {words}
        </span>
      )}
    </Hint>
  )
}
