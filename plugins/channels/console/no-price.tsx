import { IconExclamationCircle } from '@arco-design/web-react/icon'
import { Link } from 'react-router-dom'
import { firstNames, formatExact, Hint, useCanVisit, useTexts } from '#console'

/** The screen of the options, where prices are set. A console without it shows the remark alone. */
const OPTIONS_PATH = '/setting'
const UNPRICED_PATH = `${OPTIONS_PATH}?prices=unset_models#prices`

/** A quiet remark that these models have no price yet; nothing where all have one. */
export function NoPrice({
  names,
  isNamed,
  isShort,
}: {
  names: readonly string[]
  isNamed?: boolean
  /** A sign and the number, for rows; the words stand in the tooltip. */
  isShort?: boolean
}) {
  const t = useTexts('channels')
  const hasOptions = useCanVisit(OPTIONS_PATH)
  if (names.length === 0) return null
  // Beside its own name a model need not be named again.
  const words = isNamed ? t('price.none') : t('price.noneOf', { count: names.length })
  const shown = isShort ? (
    <>
      <IconExclamationCircle aria-hidden /> {formatExact(names.length)}
    </>
  ) : (
    words
  )
  const hint = isNamed
    ? t('price.hint')
    : `${isShort ? `${words}: ` : ''}${firstNames(names, t)}. ${t('price.hint')}`
  return (
    <Hint text={hint}>
      {hasOptions ? (
        <Link className="label no-price" to={UNPRICED_PATH} aria-label={words}>
          {shown}
        </Link>
      ) : (
        <span className="label no-price" tabIndex={0} aria-label={isShort ? words : undefined}>
          {shown}
        </span>
      )}
    </Hint>
  )
}
