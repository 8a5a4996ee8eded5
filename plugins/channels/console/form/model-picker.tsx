import { Checkbox, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { EmptyState, Dialog, ModelMark, TickBox, useTexts } from '#console'
import { NoPrice } from '../no-price.tsx'
import { useUnpriced } from '../use-unpriced.ts'

/** Names of a part that are drawn: a browser takes a minute for twenty thousand. The others are found by a word. */
const MOST_DRAWN = 200

/** The models that the upstream offers: first those that the channel lacks, then those that it has. */
export function ModelPicker({
  found,
  chosen,
  onPick,
  onClose,
}: {
  found: readonly string[]
  chosen: readonly string[]
  onPick: (models: string[]) => void
  onClose: () => void
}) {
  const t = useTexts('channels')
  const [text, setText] = useState('')
  // A channel without models gets all that the provider offers, until some are unticked.
  const { picked, set } = usePicked(chosen.length === 0 ? found : chosen)
  const unpriced = useUnpriced(found)
  const shown = [...new Set(found)].filter((name) =>
    name.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const had = new Set(chosen)
  const parts = [
    { key: 'new', names: shown.filter((name) => !had.has(name)) },
    { key: 'had', names: shown.filter((name) => had.has(name)) },
  ].filter(({ names }) => names.length > 0)
  return (
    <Dialog
      title={t('picker.title')}
      okText={t('picker.take', { count: picked.size })}
      cancelText={t('cancel')}
      onOk={() => onPick([...picked])}
      onClose={onClose}
    >
      <Input
        value={text}
        onChange={setText}
        allowClear
        placeholder={t('picker.search')}
        aria-label={t('picker.search')}
      />
      <div className="channel-picker">
        {parts.length === 0 ? <EmptyState title={t('picker.none')} /> : null}
        {parts.map(({ key, names }) => (
          <PickerPart
            key={key}
            title={t(`picker.${key}`, { count: names.length })}
            names={names}
            picked={picked}
            unpriced={unpriced}
            onSet={set}
          />
        ))}
      </div>
    </Dialog>
  )
}

function usePicked(first: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(first))
  const set = (names: readonly string[], isPicked: boolean) =>
    setPicked((old) => {
      const next = new Set(old)
      for (const name of names) {
        if (isPicked) next.add(name)
        else next.delete(name)
      }
      return next
    })
  return { picked, set }
}

function PickerPart({
  title,
  names,
  picked,
  unpriced,
  onSet,
}: {
  title: string
  names: readonly string[]
  picked: ReadonlySet<string>
  unpriced: ReadonlySet<string>
  onSet: (names: readonly string[], isPicked: boolean) => void
}) {
  const t = useTexts('channels')
  const count = names.filter((name) => picked.has(name)).length
  const hidden = names.length - MOST_DRAWN
  return (
    <section aria-label={title}>
      <h3>
        <TickBox
          label={title}
          isTicked={count === names.length}
          isPartly={count > 0 && count < names.length}
          onChange={(isPicked) => onSet(names, isPicked)}
        />
        {title}
      </h3>
      <ul>
        {names.slice(0, MOST_DRAWN).map((name) => (
          <li key={name}>
            <Checkbox checked={picked.has(name)} onChange={(isPicked) => onSet([name], isPicked)}>
              <ModelMark model={name} size="small" /> <code>{name}</code>
            </Checkbox>
            {unpriced.has(name) ? <NoPrice names={[name]} isNamed /> : null}
          </li>
        ))}
      </ul>
      {hidden > 0 ? <p className="muted">{t('picker.hidden', { count: hidden })}</p> : null}
    </section>
  )
}
