import { Button } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { messageOf, useAction } from '../../api/use-action.ts'
import { formatExact } from '../../format/quota.ts'
import { type Texts, useTexts } from '../../texts/use-texts.ts'
import { type ConfirmOptions, confirm } from '../confirm.tsx'
import { IconButton } from '../icon-button.tsx'
import { toast } from '../toast.ts'

/** Something that can be done with all ticked rows. */
export interface BulkAction<T> {
  /** A verb. */
  label: string
  isDanger?: boolean
  /** The question to ask first. */
  confirm?: (rows: readonly T[]) => ConfirmOptions
  /** Either one call for all rows; a sentence that it resolves to is shown. False: nothing was changed, and the rows stay ticked. */
  run?: (rows: readonly T[]) => Promise<string | void | false>
  /** Or one call per row, a few at a time. Failures are listed by name. */
  runEach?: (row: T) => Promise<unknown>
}

export interface Failure {
  name: string
  message: string
}

const parallelCalls = 4

/** Runs `work` for all rows, a few at a time, reports progress, and returns what failed. */
export async function runForEach<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  work: (row: T) => Promise<unknown>,
  onProgress?: (done: number) => void,
): Promise<Failure[]> {
  const failures: Failure[] = []
  const queue = [...rows]
  let done = 0
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      try {
        await work(row)
      } catch (error) {
        failures.push({ name: nameOf(row), message: messageOf(error) })
      }
      done += 1
      onProgress?.(done)
    }
  }
  await Promise.all(Array.from({ length: parallelCalls }, worker))
  return failures
}

/** The most names that a question lists. */
const namedAtMost = 10

/** For changes that cannot be undone: names the rows, and asks to type the number of more than one. */
function askedOfRows(question: ConfirmOptions, names: readonly string[], t: Texts): ConfirmOptions {
  const [only = ''] = names.length === 1 ? names : []
  if (only && question.title.includes(only)) return question
  const rest = names.length - namedAtMost
  const number = only ? undefined : String(names.length)
  return {
    ...question,
    typeToConfirm: question.typeToConfirm ?? number,
    content: (
      <>
        {question.content}
        <ul className="dialog-names">
          {names.slice(0, namedAtMost).map((name, at) => (
            <li key={at}>{name}</li>
          ))}
        </ul>
        {rest > 0 ? <p className="muted">{t('bulk.rest', { count: formatExact(rest) })}</p> : null}
      </>
    ),
  }
}

interface BulkBarProps<T> {
  rows: readonly T[]
  actions: readonly BulkAction<T>[]
  nameOf: (row: T) => string
  onClear(): void
  onDone(): Promise<unknown> | void
}

/** Slides in above the table when rows are ticked: how many, the actions, and which rows failed. */
export function BulkBar<T>(props: BulkBarProps<T>) {
  const { rows, actions } = props
  const t = useTexts()
  const { run, isRunning, progress, failures, clear } = useBulkRun(props)
  if (rows.length === 0 && failures.length === 0 && !progress) return null
  return (
    <div className="bulk-bar" role="region" aria-label={t('bulk.region')}>
      <div className="bulk-line">
        <span aria-live="polite">{t('bulk.selected', { count: rows.length })}</span>
        {progress ? <span className="muted number">{t('bulk.progress', progress)}</span> : null}
        {actions.map((action) => (
          <Button
            key={action.label}
            size="small"
            status={action.isDanger ? 'danger' : undefined}
            // A disabled button cannot have the focus, which would start at the top of the page. What is running takes no press.
            disabled={!isRunning && rows.length === 0}
            aria-disabled={isRunning || undefined}
            className={isRunning ? 'arco-btn-disabled' : undefined}
            onClick={() => void run(action)}
          >
            {action.label}
          </Button>
        ))}
        <IconButton icon={<IconClose />} label={t('bulk.clear')} size="small" onClick={clear} />
      </div>
      {failures.length > 0 ? (
        <ul className="bulk-failures" role="alert">
          {failures.map(({ name, message }, at) => (
            <li key={at}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/** Asks, runs the action over all rows, and keeps what failed until the next one. */
function useBulkRun<T>({ rows, nameOf, onClear, onDone }: BulkBarProps<T>) {
  const t = useTexts()
  const [failures, setFailures] = useState<Failure[]>([])
  // A test of many channels takes minutes.
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [run, isRunning] = useAction(async (action: BulkAction<T>) => {
    const { confirm: question, isDanger } = action
    const ask = (asked: ConfirmOptions) =>
      isDanger ? askedOfRows(asked, rows.map(nameOf), t) : asked
    if (question && !(await confirm(() => ask(question(rows))))) return
    setFailures([])
    const { runEach } = action
    const showProgress = (done: number) => setProgress({ done, total: rows.length })
    try {
      if (runEach) showProgress(0)
      const failed = runEach ? await runForEach(rows, nameOf, runEach, showProgress) : []
      const sentence = await action.run?.(rows)
      if (sentence === false) return
      if (sentence) toast.success(sentence)
      else if (failed.length === 0) toast.success(t('bulk.done', { count: rows.length }))
      setFailures(failed)
      if (failed.length === 0) onClear()
    } finally {
      await onDone()
      setProgress(undefined)
    }
  })
  const clear = () => {
    setFailures([])
    onClear()
  }
  return { run, isRunning, progress, failures, clear }
}
