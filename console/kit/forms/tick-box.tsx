import { Checkbox } from '@arco-design/web-react'

/** A tick box with an invisible accessible name. */
export function TickBox({
  label,
  isTicked,
  isPartly,
  isDisabled,
  onChange,
}: {
  label: string
  isTicked: boolean
  isPartly?: boolean
  isDisabled?: boolean
  onChange(isTicked: boolean): void
}) {
  return (
    <span className="tick-box" onClick={(event) => event.stopPropagation()}>
      <Checkbox
        checked={isTicked}
        indeterminate={isPartly}
        disabled={isDisabled}
        onChange={onChange}
      >
        <span className="visually-hidden">{label}</span>
      </Checkbox>
    </span>
  )
}
