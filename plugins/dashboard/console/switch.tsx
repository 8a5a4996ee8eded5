/** One choice of a few, as a row of buttons. */
export function Switch<T extends string>({
  label,
  choices,
  value,
  nameOf,
  onChange,
}: {
  label: string
  choices: readonly T[]
  value: T | undefined
  nameOf(choice: T): string
  onChange(choice: T): void
}) {
  return (
    <div className="switch" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === value}
          onClick={() => onChange(choice)}
        >
          {nameOf(choice)}
        </button>
      ))}
    </div>
  )
}
