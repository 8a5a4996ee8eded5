import { firstNames } from '../../format/first-names.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Hint } from '../hint.tsx'
import { Label } from './status-tag.tsx'

/** Names on one line: the first ones and the number of the others. The tooltip lists more of them. */
export function Labels({
  names,
  most = 2,
  isCode,
}: {
  names: readonly string[]
  most?: number
  isCode?: boolean
}) {
  const t = useTexts()
  const shown = names.slice(0, most)
  const more = names.length - shown.length
  return (
    <span className="labels labels-line">
      {shown.map((name) => (
        <Label key={name} isCode={isCode}>
          <span title={name}>{name}</span>
        </Label>
      ))}
      {more > 0 ? (
        <Hint text={firstNames(names, t)}>
          <span className="label number" tabIndex={0}>
            +{more}
          </span>
        </Hint>
      ) : null}
    </span>
  )
}
