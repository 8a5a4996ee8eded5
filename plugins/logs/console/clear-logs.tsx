import { Button, DatePicker } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { api, confirm, formatTime, toast, useAction, useTexts } from '#console'

/** Rows that a call deletes: it answers within seconds. */
const AT_ONCE = 10_000

/** Deletes slice by slice. @returns how many there were */
async function clearBefore(time: number, onProgress: (count: number) => void): Promise<number> {
  const query = { target_timestamp: time, limit: AT_ONCE }
  for (let total = 0; ; ) {
    const count = await api.delete<number>('/api/log/', { query })
    total += count
    onProgress(total)
    if (count < AT_ONCE) return total
  }
}

/** On the settings page: deletes what is older than a time, for good. */
export default function ClearLogs() {
  const t = useTexts('logs')
  const id = useId()
  const [before, setBefore] = useState<number>()
  /** undefined: nothing is being cleared, nor has a clearing been broken off. */
  const [cleared, setCleared] = useState<number>()
  const [clear, isBusy] = useAction(async () => {
    if (before === undefined) return toast.warning(t('clear.noTime'))
    const time = formatTime(before)
    const isAgreed = await confirm({
      title: t('clear.title'),
      content: t('clear.text', { time }),
      confirmLabel: t('clear.do'),
      isDanger: true,
      typeToConfirm: time.slice(0, 'YYYY-MM-DD'.length),
    })
    if (!isAgreed) return
    setCleared(0)
    const count = await clearBefore(before, setCleared)
    setCleared(undefined)
    toast.success(t('clear.done', { count }))
  })
  // Busy it is also while it asks.
  const isClearing = isBusy && cleared !== undefined
  return (
    <div className="schema-field">
      <label htmlFor={id}>{t('clear.label')}</label>
      <div className="schema-amount">
        <DatePicker
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          value={before === undefined ? undefined : before * 1000}
          placeholder={t('clear.choose')}
          onChange={(_, date) => setBefore(date ? date.unix() : undefined)}
          inputProps={{ id }}
          disabled={isBusy}
        />
        <Button status="danger" loading={isClearing} onClick={() => void clear()}>
          {t(isClearing ? 'clear.running' : 'clear.do')}
        </Button>
      </div>
      <p className="schema-help" role={isClearing ? 'status' : undefined}>
        {cleared
          ? t(isClearing ? 'clear.progress' : 'clear.stopped', { count: cleared })
          : t('clear.help')}
      </p>
    </div>
  )
}
