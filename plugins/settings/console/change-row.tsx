import {
  type Action,
  api,
  formatExact,
  RowActions,
  StatusTag,
  type Texts,
  TextPreview,
  Time,
  toast,
  useIsPhone,
  useTextDialog,
  useTexts,
} from '#console'
import type { SettingsSection } from './arrange-settings.ts'
import type { Change } from '../schema.ts'
import { differenceOf, isInUse, wasInUse } from './change.ts'
import { optionLabel } from './section-words.ts'

/** One change: option, time, author, old and new value, and the buttons to undo it. */
export function ChangeRow({
  change,
  section,
  inUse,
  onRolledBack,
}: {
  change: Change
  section: SettingsSection
  /** The stored value of the option; undefined for secrets. */
  inUse: string | undefined
  onRolledBack(): Promise<unknown>
}) {
  const t = useTexts('settings')
  const isPhone = useIsPhone()
  const [show, dialog] = useTextDialog()
  const label = optionLabel(section, change.key)
  const words = wordsOf(change, t)
  return (
    <li className="change">
      <div className="change-head">
        <strong title={label}>{label}</strong>
        {isInUse(change, inUse) ? <StatusTag tone="success">{t('history.inUse')}</StatusTag> : null}
        <Time seconds={change.changed_at} />
      </div>
      <div className="change-line">
        <span className="change-who">{whoOf(change, t)}</span>
        <span className="change-what">
          {change.is_secret ? (
            t('history.secret')
          ) : (
            <TextPreview
              text={words}
              onOpen={() => show({ title: label, text: wholeOf(change, t), isCode: true })}
            />
          )}
        </span>
        <RowActions
          actions={actionsOf(change, { t, label, inUse, onRolledBack })}
          subject={label}
          visible={isPhone ? 0 : 2}
        />
      </div>
      {change.is_secret ? <p className="muted">{t('history.secretHint')}</p> : null}
      {dialog}
    </li>
  )
}

interface Tools {
  t: Texts
  label: string
  inUse: string | undefined
  onRolledBack(): Promise<unknown>
}

function actionsOf(change: Change, { t, label, inUse, onRolledBack }: Tools): Action[] {
  const way = (to: 'new' | 'old'): Action => ({
    label: t(`history.${to}`),
    confirm: () => ({
      title: t(`history.ask.${to}`, { label }),
      content: t('history.askText'),
      confirmLabel: t('history.confirm'),
    }),
    run: async () => {
      await api.post('/api/option/rollback', { id: change.id, to })
      toast.success(t('history.done', { label }))
      await onRolledBack()
    },
  })
  return [
    ...(change.can_restore && !isInUse(change, inUse) ? [way('new')] : []),
    ...(change.can_restore_old && !wasInUse(change, inUse) ? [way('old')] : []),
  ]
}

/** The user and where the change came from (console, command line, plugin); only the latter if no user made it. */
function whoOf({ user_id, username, origin }: Change, t: Texts): string {
  const place = origin.startsWith('plugin:')
    ? t('history.from.plugin', { id: origin.slice('plugin:'.length) })
    : t(`history.from.${origin}`)
  return user_id > 0 ? t('history.who', { name: username, place }) : place
}

function wordsOf(change: Change, t: Texts): string {
  const { old_size, new_size } = change
  return (
    differenceOf(change) ??
    t('history.sizes', { old: formatExact(old_size), new: formatExact(new_size) })
  )
}

function wholeOf({ old_value, new_value, old_size, new_size }: Change, t: Texts): string {
  const shown = (value: string | null, size: number) => {
    if (value === null) return t('history.tooLong', { count: formatExact(size) })
    return value.length < size
      ? `${value}\n${t('history.cut', { count: formatExact(size) })}`
      : value || '–'
  }
  return [
    t('history.before'),
    shown(old_value, old_size),
    '',
    t('history.after'),
    shown(new_value, new_size),
  ].join('\n')
}
